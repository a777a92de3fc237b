package io.perdure.server.rest;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Says whether the server lives, and whether it is ready. */
final class HealthRoutes {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private HealthRoutes() {}

    static List<Operation> operations(BooleanSupplier alive, BooleanSupplier ready) {
        return List.of(
                Operation.get("/livez", "isAlive", exchange -> {
                            boolean yes = alive.getAsBoolean();
                            exchange.answer(yes ? OK : UNAVAILABLE, status(yes ? "alive" : "not listening"));
                        })
                        .forEverybody(),
                Operation.get("/readyz", "isReady", exchange -> {
                            boolean yes = ready.getAsBoolean();
                            exchange.answer(yes ? OK : UNAVAILABLE, status(yes ? "ready" : "not ready"));
                        })
                        .forEverybody());
    }

    private static Json status(String word) {
        return JsonObject.builder().put("status", word).build();
    }
}
