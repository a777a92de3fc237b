package io.perdure.core.queue;

import io.perdure.core.queue.Look.Looked;
import io.perdure.core.store.QueueCommit;
import io.perdure.sdk.consumer.Arrivals;
import io.perdure.sdk.consumer.QueueBackend;
import io.perdure.sdk.consumer.Verdict;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.ExtendedLeases;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The consumer's port, onto a queue of this process's store. */
final class LocalQueueBackend implements QueueBackend {
    private final Queues queues;
    private final LocalQueue queue;
    private final Dismissal dismissal;

    /** One for all receives with the same match: it keeps its place, or the end of a long queue would never be seen. */
    private @Nullable Matching matching;

    private @Nullable Json matched;

    LocalQueueBackend(Queues queues, LocalQueue queue, Dismissal dismissal) {
        this.queues = queues;
        this.queue = queue;
        this.dismissal = dismissal;
    }

    @Override
    public MessageQueue queue() {
        return queue;
    }

    @Override
    public QueueSettings knownSettings() {
        return queue.knownSettings();
    }

    @Override
    public Arrivals receive(Receiving receiving) {
        long asked = queues.environment().nanoTime();
        Looked looked = queue.receive(receiving, matching(receiving.match()), dismissal);
        return looked.foundNothing()
                ? Arrivals.NONE
                : new Arrivals(queue.deliveries(looked), Duration.ofNanos(looked.begunNanos() - asked));
    }

    private @Nullable Matching matching(@Nullable Json part) {
        if (!Objects.equals(part, matched)) {
            matched = part;
            matching = queue.matching(part);
        }
        return matching;
    }

    @Override
    public void dismiss() {
        dismissal.dismiss();
    }

    @Override
    public Fate settle(Receipt receipt, Verdict verdict) {
        return switch (verdict) {
            case Verdict.Done() -> queues.settling().settle(receipt, new QueueCommit.Verdict.Done());
            case Verdict.Retry(Duration delay, String error) -> queue.retry(receipt, delay, error);
            case Verdict.Reject(String error) -> queue.reject(receipt, error);
            case Verdict.Release() -> queues.settling().settle(receipt, new QueueCommit.Verdict.Release());
        };
    }

    @Override
    public ExtendedLeases extend(List<Receipt> receipts, Duration length) {
        return queues.settling().extendAll(receipts, length);
    }
}
