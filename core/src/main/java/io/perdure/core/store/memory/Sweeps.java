package io.perdure.core.store.memory;

import io.perdure.core.store.Sweep;
import io.perdure.core.store.memory.QueueState.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The rules by which rows go that have served their time, those first that have been over the longest. */
final class Sweeps {
    private final Tables tables;

    Sweeps(Tables tables) {
        this.tables = tables;
    }

    int sweep(Sweep what, int limit, Instant now) {
        return switch (what) {
            case EXPIRED_MESSAGES -> expiredMessages(limit, now);
            case RETIRED_RUNS -> retiredRuns(limit, now);
            case DEDUPLICATION_IDS -> tables.keys.sweep(now, limit);
            case LANE_BATCHES -> tables.lanes.sweep(now, limit);
            case GONE_WORKERS -> tables.workers.sweep(now, limit);
            case NOTED_REQUESTS -> tables.requests.sweep(now, limit);
        };
    }

    private record Expired(QueueState queue, Message message) {}

    private int expiredMessages(int limit, Instant now) {
        tables.shortenTooLongLeases(now);
        List<Expired> expired = tables.allQueues().stream()
                .flatMap(queue -> queue.messages.values().stream()
                        .filter(message -> message.isExpired(now))
                        .map(message -> new Expired(queue, message)))
                .sorted(Comparator.comparing((Expired row) -> row.message().expiresAt)
                        .thenComparing(row -> row.message().sent.id()))
                .limit(limit)
                .toList();
        expired.forEach(row -> row.queue().expire(row.message()));
        return expired.size();
    }

    private record Retired(RunState run, Instant since) {}

    private int retiredRuns(int limit, Instant now) {
        List<Retired> retired = tables.allRuns().stream()
                .flatMap(run -> Optional.ofNullable(run.completedAt).stream()
                        .map(completedAt -> completedAt.plus(Duration.ofDays(run.options.retentionDays())))
                        .filter(since -> since.isBefore(now))
                        .map(since -> new Retired(run, since)))
                .sorted(Comparator.comparing(Retired::since).thenComparing(row -> row.run().id))
                .limit(limit)
                .toList();
        retired.forEach(row -> tables.remove(row.run()));
        return retired.size();
    }
}
