package io.perdure.core.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import io.opentelemetry.context.Context;
import io.perdure.sdk.trace.TraceContext;
import java.util.List;
import java.util.stream.Collectors;

/** Places in a trace, as OpenTelemetry has them and as they travel. */
final class Places {
    private Places() {}

    /** Where a span stands. */
    static TraceContext of(SpanContext span) {
        String state = span.getTraceState().asMap().entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
        return new TraceContext(span.getTraceId(), span.getSpanId(), span.isSampled(), state);
    }

    /** What is to be the parent of a span that stands below this place. */
    static Context context(TraceContext place) {
        return Context.root()
                .with(Span.wrap(SpanContext.createFromRemoteParent(
                        place.traceId(),
                        place.spanId(),
                        place.sampled() ? TraceFlags.getSampled() : TraceFlags.getDefault(),
                        state(place.tracestate()))));
    }

    private static TraceState state(String written) {
        if (written.isEmpty()) {
            return TraceState.getDefault();
        }
        TraceStateBuilder state = TraceState.builder();
        // What is put last comes first.
        for (String entry : List.of(written.split(",")).reversed()) {
            int equals = entry.indexOf('=');
            state.put(entry.substring(0, equals), entry.substring(equals + 1));
        }
        return state.build();
    }
}
