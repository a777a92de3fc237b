package io.perdure.core.queue;

import io.perdure.core.store.Ledger;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Queue;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.QueueSettings;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.Store;
import io.perdure.core.store.Sweep;
import io.perdure.core.store.Sweeper;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The queues of one tenant in one store, as {@code Perdure} holds them; users get theirs there. Safe for many threads. */
public final class Queues implements AutoCloseable {
    /** What grows with the use of queues alone. Runs are swept by those who run them. */
    private static final List<Sweep> SWEPT =
            List.of(Sweep.EXPIRED_MESSAGES, Sweep.DEDUPLICATION_IDS, Sweep.LANE_BATCHES);

    private final Store store;
    private final Ledger ledger;
    private final Environment environment;
    private final TenantId tenant;
    private final Waiters waiters;
    private final Sweeper sweeper;
    private volatile boolean closed;

    private Queues(Store store, Ledger ledger, Environment environment, TenantId tenant) {
        this.store = store;
        this.ledger = ledger;
        this.environment = environment;
        this.tenant = tenant;
        this.waiters = new Waiters(store, environment, tenant);
        this.sweeper = new Sweeper(store, environment, SWEPT);
    }

    /** Takes up the queues of a tenant and starts to sweep the store. Closing the answer closes neither store nor ledger. */
    public static Queues open(Store store, Ledger ledger, Environment environment, TenantId tenant) {
        Queues queues = new Queues(store, ledger, environment, tenant);
        queues.sweeper.start();
        return queues;
    }

    /** Creates a queue; one with equal settings is left as it is, other settings are {@code PD-402}. */
    public MessageQueue create(QueueName name, QueueSettings settings) {
        checkOpen();
        Outcomes.changed(ledger.commit(new Create(tenant, name, settings)));
        return new MessageQueue(this, name, settings);
    }

    /** A queue that exists; {@code PD-401} where there is none of this name. */
    public MessageQueue queue(QueueName name) {
        checkOpen();
        return new MessageQueue(this, name, settings(name));
    }

    /** All queues by name, with their settings and figures. */
    public List<QueueStatus> all() {
        checkOpen();
        return store.queues(tenant).stream().flatMap(this::status).toList();
    }

    /** Empty where the queue was deleted since it was listed. */
    private Stream<QueueStatus> status(Queue queue) {
        return store
                .figures(tenant, queue.name())
                .map(figures -> new QueueStatus(queue.name(), queue.settings(), figures))
                .stream();
    }

    /** Acknowledges messages, each on its own; answers the receipts that came too late. */
    public List<Receipt> ackAll(List<Receipt> receipts) {
        checkOpen();
        if (receipts.isEmpty()) {
            return List.of();
        }
        List<Outcome> outcomes = ledger.commitAll(receipts.stream()
                .map(receipt -> new Settle(tenant, receipt, new Verdict.Done()))
                .toList());
        List<Receipt> lost = new ArrayList<>();
        for (int i = 0; i < receipts.size(); i++) {
            if (Outcomes.isLost(outcomes.get(i), receipts.get(i))) {
                lost.add(receipts.get(i));
            }
        }
        return List.copyOf(lost);
    }

    /** Why the newest sweep failed; empty where it did not. */
    public Optional<RuntimeException> sweepFailure() {
        return sweeper.failure();
    }

    /** Ends every wait with {@code PD-203} and the sweeping; every later call is {@code PD-203}. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        waiters.close();
        sweeper.close();
        if (ledger.figures().commits() > 0) {
            // A command that lives for a second leaves lanes and batches too, and never gets to sweep in time.
            sweeper.sweepOnce();
        }
    }

    QueueSettings settings(QueueName name) {
        return store.queue(tenant, name)
                .map(Queue::settings)
                .orElseThrow(
                        () -> Refusal.NO_SUCH_QUEUE.because("Tenant %s has no queue \"%s\".".formatted(tenant, name)));
    }

    /** Throws {@code PD-203} once this was closed. */
    void checkOpen() {
        if (closed) {
            throw Outcomes.closed();
        }
    }

    Store store() {
        return store;
    }

    Ledger ledger() {
        return ledger;
    }

    Environment environment() {
        return environment;
    }

    TenantId tenant() {
        return tenant;
    }

    Waiters waiters() {
        return waiters;
    }
}
