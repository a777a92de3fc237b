package io.perdure.server.telemetry;

import io.opentelemetry.sdk.trace.IdGenerator;
import io.perdure.core.telemetry.SpanIds;

/** Gives a span the ids that are asked for, which is how a run's steps know the span that is above them; any others where none are. */
final class AskedIds implements IdGenerator {
    private final IdGenerator others = IdGenerator.random();

    @Override
    public String generateSpanId() {
        return SpanIds.spanId().orElseGet(others::generateSpanId);
    }

    @Override
    public String generateTraceId() {
        return SpanIds.traceId().orElseGet(others::generateTraceId);
    }
}
