package io.perdure.server.rest;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.TenantId;
import io.perdure.server.telemetry.Figures;
import java.util.List;
import java.util.function.Supplier;

/** Shows the figures of the server. They are of all tenants together, so a key of one of them does not do. */
final class MetricsRoutes {
    private MetricsRoutes() {}

    static List<Operation> operations(Supplier<String> figures) {
        return List.of(Operation.get("/metrics", "getMetrics", exchange -> {
                    if (!exchange.tenant().equals(TenantId.DEFAULT)) {
                        throw new RefusedException(
                                ErrorCode.KEY_NOT_ALLOWED,
                                "The figures are of all tenants; a key of tenant %s does not show them, one of tenant %s does."
                                        .formatted(exchange.tenant(), TenantId.DEFAULT));
                    }
                    exchange.answer(Figures.MEDIA_TYPE, figures.get());
                })
                .forMonitors());
    }
}
