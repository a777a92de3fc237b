package io.perdure.server.rest;

import io.perdure.core.Perdure;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RestLimits;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.RunList;
import io.perdure.sdk.run.RunPlace;
import io.perdure.sdk.wire.OperationJson;
import io.perdure.sdk.wire.RunJson;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds and counts runs. */
final class RunListRoutes {
    private static final RestLimits LIMITS = Limits.defaults().rest();

    private RunListRoutes() {}

    static List<Operation> operations() {
        return Stream.concat(
                        Runs.both(
                                Operation.get(Runs.ANY, "listRuns", RunListRoutes::list)
                                        .query(Filters.and("cursor", "limit")),
                                Operation.get(Runs.ANY + "/count", "countRuns", RunListRoutes::count)
                                        .query(Filters.and())
                                        .inTurns())
                                .stream(),
                        Stream.of(Operation.get("/v1/workflows", "listWorkflows", RunListRoutes::workflows)))
                .toList();
    }

    private static void list(Exchange exchange) {
        RunFilter filter = Filters.read(exchange);
        int limit = (int) exchange.query().number("limit", 1, LIMITS.pageMax(), LIMITS.pageDefault());
        String after = exchange.query()
                .parsed("cursor", place -> {
                    filter.requirePlace(place);
                    return place;
                })
                .orElse(null);
        Filling runs = new Filling();
        String next = fill(runs, exchange.engine(), filter, limit, after);
        exchange.answer(
                JsonObject.builder().put("runs", runs.array()).put("next", next).build());
    }

    /** Adds runs until there are no more, or enough, or no more fit into an answer; answers where the next page begins. */
    private static @Nullable String fill(
            Filling page, Perdure engine, RunFilter filter, int limit, @Nullable String after) {
        String place = after;
        while (true) {
            int asked = Math.min(limit - page.size(), Filling.LOOK);
            RunList runs = place == null ? engine.runs(filter, asked) : engine.runs(filter, asked, place);
            for (RunInfo run : runs.runs()) {
                if (!page.add(RunJson.write(run))) {
                    return place;
                }
                place = place(filter, run);
            }
            place = runs.next();
            // One with fewer says that the engine has looked at as much as it may.
            if (place == null || runs.runs().size() < asked || page.size() == limit) {
                return place;
            }
        }
    }

    private static String place(RunFilter filter, RunInfo run) {
        Instant at = filter.isByEnd()
                ? Objects.requireNonNull(run.completedAt(), "an ended run has an end")
                : run.startedAt();
        return new RunPlace(filter.isByEnd(), at, run.id()).toString();
    }

    private static void count(Exchange exchange) {
        long count = exchange.engine().count(Filters.read(exchange));
        exchange.answer(JsonObject.builder().put("count", count).build());
    }

    private static void workflows(Exchange exchange) {
        exchange.answer(OperationJson.counts(exchange.engine().runCounts()));
    }
}
