package io.perdure.core.queue;

import io.perdure.core.store.Ledger;
import io.perdure.core.store.Queue;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.Store;
import io.perdure.core.store.Sweep;
import io.perdure.core.store.Sweeper;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.consumer.Consumers;
import io.perdure.sdk.consumer.LoggedMessages;
import io.perdure.sdk.consumer.QueueBackend;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.ExtendedLeases;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.MessageHandler;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueueStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/** The queues of one tenant in one store, as {@code Perdure} holds them; users get theirs there. Safe for many threads. */
public final class Queues implements AutoCloseable {
    /** What grows with the use of queues alone. Runs are swept by those who run them. */
    private static final List<Sweep> SWEPT =
            List.of(Sweep.EXPIRED_MESSAGES, Sweep.DEDUPLICATION_IDS, Sweep.LANE_BATCHES);

    private static final int PAGE = Limits.defaults().calls().pageRows();

    private final Store store;
    private final Ledger ledger;
    private final Environment environment;
    private final TenantId tenant;
    private final Waiters waiters;
    private final Settling settling = new Settling(this);
    private final Sweeper sweeper;
    private final Consumers consumers;
    private volatile boolean closed;

    private Queues(Store store, Ledger ledger, Environment environment, TenantId tenant, List<Sweep> swept) {
        this.store = store;
        this.ledger = ledger;
        this.environment = environment;
        this.tenant = tenant;
        this.waiters = new Waiters(store, environment, tenant);
        this.consumers = new Consumers(environment);
        this.sweeper = new Sweeper(store, environment, swept);
    }

    /** Takes up the queues of a tenant and starts to sweep the store. Closing the answer closes neither store nor ledger. */
    public static Queues open(Store store, Ledger ledger, Environment environment, TenantId tenant) {
        Queues queues = new Queues(store, ledger, environment, tenant, SWEPT);
        queues.sweeper.start();
        return queues;
    }

    /** Takes up the queues of a tenant beside those of another one, which were opened and sweep the same store. */
    public static Queues beside(Store store, Ledger ledger, Environment environment, TenantId tenant) {
        return new Queues(store, ledger, environment, tenant, List.of());
    }

    /** Creates a queue; one with equal settings is left as it is, other settings are {@code PD-402}. */
    public MessageQueue create(QueueName name, QueueSettings settings) {
        checkOpen();
        Outcomes.changed(ledger.commit(new Create(tenant, name, settings)));
        return new LocalQueue(this, name, settings);
    }

    /** A queue that exists; {@code PD-401} where there is none of this name. */
    public MessageQueue queue(QueueName name) {
        return local(name);
    }

    private LocalQueue local(QueueName name) {
        checkOpen();
        return new LocalQueue(this, name, settings(name));
    }

    /** Has the messages of a queue handled until the answer, or this, is closed; {@code PD-401} where there is no such queue. */
    public QueueConsumer consume(QueueName name, ConsumeOptions options, MessageHandler handler) {
        QueueBackend backend = new LocalQueueBackend(this, local(name), new Dismissal());
        return consumers.consume(backend, options, handler, LoggedMessages.ifSetUp());
    }

    /** What a consumer elsewhere needs of a queue. It is dismissed with all who wait here; {@code PD-401} where there is no such queue. */
    public QueueBackend backend(QueueName name) {
        return new LocalQueueBackend(this, local(name), waiters.caller());
    }

    /** Closes all consumers of all of these, which share the time to drain, and those that are started later. */
    public static void closeConsumers(Collection<Queues> all) {
        Consumers.closeAll(all.stream().map(queues -> queues.consumers).toList());
    }

    /** The longest time that a consumer gives its handlers when it is closed; zero without consumers. */
    public Duration longestDrain() {
        return consumers.longestDrain();
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
        return settling.settleAll(receipts, new Verdict.Done());
    }

    /** The same for receipts that were maybe acknowledged before: one whose message is nowhere any more is not too late. */
    public List<Receipt> ackAgain(List<Receipt> receipts) {
        // Looked at before, so that what was acknowledged then is not asked for, and so not counted as a lease that was
        // lost.
        List<Receipt> late = ackAll(present(receipts));
        // And after: the earlier try may have been under way.
        return present(late);
    }

    /** Those whose message is anywhere. */
    private List<Receipt> present(List<Receipt> receipts) {
        checkOpen();
        Set<MessageId> there = receipts.stream()
                .map(Receipt::message)
                .distinct()
                .gather(Gatherers.windowFixed(PAGE))
                .flatMap(page -> store.present(tenant, page).stream())
                .collect(Collectors.toSet());
        return receipts.stream()
                .filter(receipt -> there.contains(receipt.message()))
                .toList();
    }

    /** Gives a message back by its receipt alone. */
    public Fate retry(Receipt receipt, Duration delay, String error) {
        Fate fate = settling.settle(receipt, new Verdict.Retry(delay, error));
        // A receipt does not name its queue, and who waits there must learn when to look.
        waiters.callAll();
        return fate;
    }

    /** Gives a message up by its receipt alone. */
    public Fate reject(Receipt receipt, String error) {
        return settling.settle(receipt, new Verdict.Reject(error));
    }

    /** Gives a message back by its receipt alone, as if it had not been delivered. */
    public void release(Receipt receipt) {
        settling.settle(receipt, new Verdict.Release());
    }

    /** Makes a lease end so long from now, by its receipt alone; answers when, by the store's clock. */
    public Instant extend(Receipt receipt, Duration length) {
        Instant until = settling.extend(receipt, length);
        waiters.callAll();
        return until;
    }

    /** Makes leases end so long from now, each on its own, by their receipts alone. */
    public ExtendedLeases extendAll(List<Receipt> receipts, Duration length) {
        ExtendedLeases extended = settling.extendAll(receipts, length);
        waiters.callAll();
        return extended;
    }

    /** Ends the waits of all receivers as if their time were over, those to come too. Consumers go on. */
    public void endWaits() {
        waiters.dismissCallers();
    }

    /** Why the newest sweep failed; empty where it did not. */
    public Optional<RuntimeException> sweepFailure() {
        return sweeper.failure();
    }

    /** Closes the consumers, ends every wait with {@code PD-203} and the sweeping; every later call is {@code PD-203}. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        consumers.close();
        closed = true;
        waiters.close();
        sweeper.close();
        if (ledger.figures().commits() > 0) {
            // A command that lives for a second leaves lanes and batches too, and never gets to sweep in time.
            sweeper.sweepOnce();
        }
    }

    /** Messages may become ready after the delay. Stores hint at what is ready, not at what will be: who waits must learn when to look. */
    void readyAfter(Duration delay, QueueName queue) {
        if (delay.isPositive()) {
            waiters.call(queue);
        }
    }

    QueueSettings settings(QueueName name) {
        return store.queue(tenant, name).map(Queue::settings).orElseThrow(() -> noSuchQueue(name));
    }

    QueueStatus status(QueueName name) {
        return store.queue(tenant, name).stream()
                .flatMap(this::status)
                .findFirst()
                .orElseThrow(() -> noSuchQueue(name));
    }

    private RefusedException noSuchQueue(QueueName name) {
        return Refusal.NO_SUCH_QUEUE.because("Tenant %s has no queue \"%s\".".formatted(tenant, name));
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

    Settling settling() {
        return settling;
    }

    Waiters waiters() {
        return waiters;
    }
}
