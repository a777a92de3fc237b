package io.perdure.testkit.property;

import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Lease;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.queue.QueueSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The small world that operations are drawn from, and what a generator has learned of it: pools so small that all collide. */
final class World {
    static final List<TenantId> TENANTS = List.of(new TenantId("acme"), new TenantId("globex"));
    static final List<WorkflowName> WORKFLOWS = List.of(new WorkflowName("onboard"), new WorkflowName("billing"));
    static final List<QueueName> QUEUES =
            Stream.of("mail", "post", "jobs", "spare").map(QueueName::new).toList();
    static final QueueName MISSING_QUEUE = new QueueName("missing");
    static final List<String> TAGS = List.of("team", "region");
    static final List<EventName> EVENTS =
            Stream.of("verify", "remind").map(EventName::new).toList();
    static final List<QueueSettings> SETTINGS = List.of(
            settings(2, true, Duration.ofHours(1), Duration.ofHours(12)),
            settings(1, false, Duration.ofMinutes(2), Duration.ofHours(12)),
            settings(0, true, Duration.ofDays(4), Duration.ofSeconds(20)));

    /** Enough to remember stale ones too; the rest of the store's rows are met by claims and receives. */
    private static final int REMEMBERED = 40;

    /** A run and a token that leased it once. */
    record Held(TenantId tenant, RunId run, Lease lease) {}

    /** A receipt that was valid once. */
    record Delivered(TenantId tenant, Receipt receipt) {}

    /** A message that was in a queue once. */
    record Sent(TenantId tenant, QueueName queue, MessageId id) {}

    /** A run that was started once. */
    record Started(TenantId tenant, RunId run) {}

    final List<Started> runs = new ArrayList<>();
    final List<Held> held = new ArrayList<>();
    final List<Delivered> delivered = new ArrayList<>();
    final List<Sent> sent = new ArrayList<>();
    private final List<Started> everStarted = new ArrayList<>();

    private static QueueSettings settings(int retries, boolean deadLetters, Duration retention, Duration maxDelay) {
        return new QueueSettings(
                Duration.ofSeconds(30), retries, deadLetters, retention, Duration.ofMinutes(30), maxDelay);
    }

    /** The runs whose rows are compared: all, until they have been swept for a while. */
    List<RunId> everStarted(TenantId tenant) {
        return everStarted.stream()
                .filter(started -> started.tenant().equals(tenant))
                .map(Started::run)
                .toList();
    }

    void forget(TenantId tenant, RunId run) {
        Started gone = new Started(tenant, run);
        everStarted.remove(gone);
        runs.remove(gone);
    }

    /** Learns from what the model answered. */
    void learn(Operation operation, Object answer) {
        switch (operation) {
            case Operation.Send(Batch batch) -> {
                if (answer instanceof List<?> outcomes) {
                    learn(batch, outcomes);
                }
            }
            case Operation.Claim(ClaimRuns request) -> {
                if (answer instanceof Claimed claimed) {
                    claimed.runs()
                            .forEach(run -> remember(held, new Held(request.tenant(), run.run(), request.lease())));
                }
            }
            case Operation.ReceiveSome(Receive request) -> {
                if (answer instanceof Received received) {
                    received.deliveries()
                            .forEach(delivery ->
                                    remember(delivered, new Delivered(request.tenant(), delivery.receipt())));
                }
            }
            case Operation.OpenLanes _,
                    Operation.Announce _,
                    Operation.Withdraw _,
                    Operation.Resend _,
                    Operation.Misnumber _,
                    Operation.ExtendSome _,
                    Operation.ListRuns _,
                    Operation.ListAllRuns _,
                    Operation.ListOverdue _,
                    Operation.ListMessages _,
                    Operation.LookUpKey _,
                    Operation.ReadRun _,
                    Operation.ReadHistory _,
                    Operation.SweepSome _,
                    Operation.SweepOut _,
                    Operation.MoveClock _ -> {}
        }
    }

    private void learn(Batch batch, List<?> outcomes) {
        for (int index = 0; index < outcomes.size(); index++) {
            boolean applied = outcomes.get(index) instanceof Outcome.Applied;
            switch (batch.commits().get(index)) {
                case RunCommit.Start start
                when applied -> {
                    everStarted.add(new Started(start.tenant(), start.run()));
                    remember(runs, everStarted.getLast());
                    if (start.lease() != null) {
                        remember(held, new Held(start.tenant(), start.run(), start.lease()));
                    }
                }
                case QueueCommit.Send send
                when applied -> {
                    for (NewMessage message : send.messages()) {
                        remember(sent, new Sent(send.tenant(), message.queue(), message.id()));
                    }
                }
                default -> {}
            }
        }
    }

    private static <T> void remember(List<T> memory, T thing) {
        memory.add(thing);
        if (memory.size() > REMEMBERED) {
            memory.removeFirst();
        }
    }
}
