package io.perdure.server.rest;

import io.perdure.sdk.Limits;
import io.perdure.sdk.RemoteLimits;
import io.perdure.sdk.consumer.QueueBackend;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * How far consumers that ask for messages by content have come, between two of their receives: each goes on where the one before stopped, or the end of a long
 * queue would not be seen, and what does not match be looked at each time. As many are kept as workers, and as long; who is forgotten begins at the first message. A consumer of
 * several servers has a place with each. Safe for many threads.
 */
final class Searches {
    private static final RemoteLimits LIMITS = Limits.defaults().remote();

    private final LongSupplier nanoTime;
    private final int most;
    /** Those that were left longest ago come first. */
    private final Map<Searcher, Left> left = new LinkedHashMap<>();

    /** Who searches where; ids that callers make up concern nobody but their tenant. */
    record Searcher(TenantId tenant, QueueName queue, UUID consumer) {}

    private record Left(QueueBackend backend, long nanos) {}

    Searches(LongSupplier nanoTime) {
        this(nanoTime, LIMITS.workers());
    }

    Searches(LongSupplier nanoTime, int most) {
        this.nanoTime = nanoTime;
        this.most = most;
    }

    /** Takes what a consumer left; a second receive of it that comes meanwhile finds nothing, for two cannot share a place. */
    synchronized Optional<QueueBackend> take(Searcher searcher) {
        dropOld();
        return Optional.ofNullable(left.remove(searcher)).map(Left::backend);
    }

    /** Keeps it for the consumer's next receive. */
    synchronized void leave(Searcher searcher, QueueBackend backend) {
        dropOld();
        left.remove(searcher);
        left.put(searcher, new Left(backend, nanoTime.getAsLong()));
        if (left.size() > most) {
            left.remove(left.keySet().iterator().next());
        }
    }

    private void dropOld() {
        long now = nanoTime.getAsLong();
        Iterator<Left> oldest = left.values().iterator();
        while (oldest.hasNext()
                && now - oldest.next().nanos() > LIMITS.hintsKept().toNanos()) {
            oldest.remove();
        }
    }
}
