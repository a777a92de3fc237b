package io.perdure.server.rest;

import io.perdure.core.Perdure;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.RunList;
import io.perdure.sdk.wire.OperationJson;
import io.perdure.sdk.wire.RunJson;
import java.util.List;
import java.util.stream.Stream;

/** Finds and counts runs. */
final class RunListRoutes {
    private static final int MOST = 1_000;
    private static final int UNLESS_GIVEN = 50;

    private RunListRoutes() {}

    static List<Operation> operations() {
        return Stream.concat(
                        Runs.both(
                                Operation.get(Runs.ANY, "listRuns", RunListRoutes::list)
                                        .query(Filters.and("cursor", "limit")),
                                Operation.get(Runs.ANY + "/count", "countRuns", RunListRoutes::count)
                                        .query(Filters.and()))
                                .stream(),
                        Stream.of(Operation.get("/v1/workflows", "listWorkflows", RunListRoutes::workflows)))
                .toList();
    }

    private static void list(Exchange exchange) {
        RunFilter filter = Filters.read(exchange);
        int limit = (int) exchange.query().number("limit", 1, MOST, UNLESS_GIVEN);
        Perdure engine = exchange.engine();
        RunList runs = exchange.query()
                .parsed("cursor", cursor -> engine.runs(filter, limit, cursor))
                .orElseGet(() -> engine.runs(filter, limit));
        exchange.answer(RunJson.write(runs));
    }

    private static void count(Exchange exchange) {
        long count = exchange.engine().count(Filters.read(exchange));
        exchange.answer(JsonObject.builder().put("count", count).build());
    }

    private static void workflows(Exchange exchange) {
        exchange.answer(OperationJson.counts(exchange.engine().runCounts()));
    }
}
