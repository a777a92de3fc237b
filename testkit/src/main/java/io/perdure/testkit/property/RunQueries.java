package io.perdure.testkit.property;

import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunQuery.Cursor;
import io.perdure.core.store.RunQuery.Order;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.Store;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Draws questions for lists of runs: any mixture of what can be asked, from the beginning or from some place on. */
final class RunQueries {
    private final Dice dice;
    private final Store model;

    RunQueries(Dice dice, Store model) {
        this.dice = dice;
        this.model = model;
    }

    RunQuery query(TenantId tenant, int limit) {
        Order order = dice.pick(List.of(Order.values()));
        return new RunQuery(
                tenant,
                order,
                dice.chance(50) ? dice.pick(World.WORKFLOWS) : null,
                dice.chance(50) ? dice.pick(List.of(RunStatus.values())) : null,
                dice.chance(30) ? model.now().minus(dice.upTo(Duration.ofHours(1))) : null,
                dice.chance(30) ? model.now().minus(dice.upTo(Duration.ofMinutes(1))) : null,
                dice.chance(40) ? tags() : Map.of(),
                dice.chance(50) ? place(tenant, order) : null,
                limit);
    }

    /** Mostly none, of a pool so small that many runs have the same. */
    Map<String, String> tags() {
        Map<String, String> tags = new TreeMap<>();
        World.TAGS.stream().filter(_ -> dice.chance(40)).forEach(name -> tags.put(name, dice.key(2)));
        return tags;
    }

    /** That of a run, which may have gone on since. */
    private @Nullable Cursor place(TenantId tenant, Order order) {
        RunQuery first = new RunQuery(tenant, order, null, null, null, null, Map.of(), null, 40);
        return dice.pickRecent(model.runs(first).runs())
                .map(row -> new Cursor(order == Order.STARTED ? row.startedAt() : ended(row), row.id()))
                .orElse(null);
    }

    private static Instant ended(RunRow row) {
        Instant ended = row.completedAt();
        return ended == null ? row.startedAt() : ended;
    }

    /** The runs of a tenant in a status, newest first. */
    List<RunRow> in(TenantId tenant, RunStatus status, int limit) {
        return model.runs(new RunQuery(tenant, Order.STARTED, null, status, null, null, Map.of(), null, limit))
                .runs();
    }
}
