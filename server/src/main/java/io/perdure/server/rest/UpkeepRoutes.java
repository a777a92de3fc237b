package io.perdure.server.rest;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.wire.OperationJson;
import java.util.List;

/** What whoever runs the system looks at: workers, and runs that were mended. */
final class UpkeepRoutes {
    private UpkeepRoutes() {}

    static List<Operation> operations() {
        return List.of(
                Operation.get("/v1/workers", "listWorkers", UpkeepRoutes::workers),
                Operation.post("/v1/recover", "recoverRuns", UpkeepRoutes::recover)
                        .forAdministrators()
                        .doneOnce(),
                Operation.get("/v1/recovered", "countRecovered", UpkeepRoutes::recovered));
    }

    private static void workers(Exchange exchange) {
        List<Json> workers = exchange.engine().operations().workers().stream()
                .map(OperationJson::write)
                .toList();
        exchange.answer(
                JsonObject.builder().put("workers", JsonArray.of(workers)).build());
    }

    private static void recover(Exchange exchange) {
        exchange.requireNoFields();
        exchange.answer(OperationJson.write(exchange.engine().operations().recover()));
    }

    private static void recovered(Exchange exchange) {
        exchange.answer(OperationJson.counts(exchange.engine().operations().recovered()));
    }
}
