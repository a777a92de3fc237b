package io.perdure.testkit.property;

import io.perdure.core.store.Inspect;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Store;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.run.RunCount;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All that reads can show of a store, piece by piece. */
final class Dump {
    private static final int ALL = 10_000;

    private Dump() {}

    static Map<String, Object> of(Store store, World world) {
        Map<String, Object> pieces = new LinkedHashMap<>();
        pieces.put("time", store.now());
        for (TenantId tenant : World.TENANTS) {
            addRuns(pieces, store, tenant, world.everStarted(tenant));
            for (Inspect.Scope scope : Inspect.Scope.values()) {
                Inspect asked = new Inspect(tenant, scope, Duration.ZERO, null, ALL);
                pieces.put("suspects of " + tenant + " among " + scope, store.inspect(asked));
            }
            pieces.put("workers of " + tenant, store.workers(tenant));
            pieces.put("queues of " + tenant, store.queues(tenant));
            World.QUEUES.stream()
                    .flatMap(queue -> Stream.of(queue, queue.deadLetters()))
                    .forEach(queue -> addQueue(pieces, store, tenant, queue));
        }
        return pieces;
    }

    private static void addRuns(Map<String, Object> pieces, Store store, TenantId tenant, List<RunId> ids) {
        Map<RunId, RunSnapshot> snapshots = store.snapshots(tenant, ids).stream()
                .collect(Collectors.toMap(
                        snapshot -> snapshot.run().id(), Function.identity(), (one, _) -> one, TreeMap::new));
        ids.forEach(id -> pieces.put("run " + id + " of " + tenant, Optional.ofNullable(snapshots.get(id))));
        pieces.put("runs of " + tenant, store.runs(RunQuery.all(tenant, ALL)));
        pieces.put("ended runs of " + tenant, store.runs(ended(tenant)));
        pieces.put("overdue runs of " + tenant, store.overdue(tenant, Duration.ZERO, ALL));
        pieces.put(
                "counts of " + tenant,
                store.runCounts(tenant).stream()
                        .filter(count -> count.count() > 0)
                        .collect(Collectors.toMap(
                                count -> count.workflow() + " " + count.status(),
                                RunCount::count,
                                Long::sum,
                                TreeMap::new)));
    }

    private static RunQuery ended(TenantId tenant) {
        return new RunQuery(tenant, RunQuery.Order.COMPLETED, null, null, null, null, Map.of(), null, ALL);
    }

    private static void addQueue(Map<String, Object> pieces, Store store, TenantId tenant, QueueName queue) {
        String which = queue + " of " + tenant;
        pieces.put("queue " + which, store.queue(tenant, queue));
        if (store.queue(tenant, queue).isEmpty()) {
            return;
        }
        pieces.put("messages in " + which, store.messages(new MessageQuery(tenant, queue, false, null, ALL)));
        pieces.put("deliverable in " + which, store.messages(new MessageQuery(tenant, queue, true, null, ALL)));
        pieces.put("figures of " + which, store.figures(tenant, queue));
    }
}
