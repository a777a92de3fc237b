package io.perdure.core.store.memory;

import io.perdure.core.store.Announcement;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.run.LiveWorker;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which workers are alive, as they said. One whose time is over is as good as not there. */
final class Workers {
    private record Key(TenantId tenant, ProcessId process) {}

    private final Map<Key, LiveWorker> rows = new LinkedHashMap<>();

    void announce(Announcement worker, Instant now) {
        Key key = new Key(worker.tenant(), worker.process());
        LiveWorker before = rows.get(key);
        Instant since = before == null || isGone(before, now) ? now : before.since();
        rows.put(
                key,
                new LiveWorker(
                        worker.process(),
                        worker.name(),
                        worker.served(),
                        worker.concurrency(),
                        since,
                        Due.in(worker.length()).fixedAt(now)));
    }

    void withdraw(TenantId tenant, ProcessId process) {
        rows.remove(new Key(tenant, process));
    }

    List<LiveWorker> alive(TenantId tenant, Instant now) {
        return rows.entrySet().stream()
                .filter(row -> row.getKey().tenant().equals(tenant))
                .map(Map.Entry::getValue)
                .filter(worker -> !isGone(worker, now))
                .sorted(LiveWorker.ORDER)
                .toList();
    }

    int sweep(Instant now, int limit) {
        List<Key> gone = rows.entrySet().stream()
                .filter(row -> isGone(row.getValue(), now))
                .sorted(Comparator.comparing((Map.Entry<Key, LiveWorker> row) ->
                                row.getValue().until())
                        .thenComparing(row -> row.getKey().process())
                        .thenComparing(row -> row.getKey().tenant()))
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
        gone.forEach(rows::remove);
        return gone.size();
    }

    private static boolean isGone(LiveWorker worker, Instant now) {
        return !worker.until().isAfter(now);
    }
}
