package io.perdure.core.telemetry;

import io.perdure.sdk.trace.TraceContext;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Which ids the span is to have that this thread is about to begin. A run's span is written by whoever ends the run, after those of its steps, which name it
 * as their parent: so its id must be known beforehand. A tracer that is to give it asks here, in its generator of ids, and makes one up where there is
 * none.
 */
public final class SpanIds {
    private static final ScopedValue<TraceContext> ASKED = ScopedValue.newInstance();

    private SpanIds() {}

    /** The trace's id, 32 hexadecimal digits. */
    public static Optional<String> traceId() {
        return ASKED.isBound() ? Optional.of(ASKED.get().traceId()) : Optional.empty();
    }

    /** The span's id, 16 hexadecimal digits. */
    public static Optional<String> spanId() {
        return ASKED.isBound() ? Optional.of(ASKED.get().spanId()) : Optional.empty();
    }

    /** Does something while these ids are asked for. */
    static <T> T asking(TraceContext ids, Supplier<T> then) {
        return ScopedValue.where(ASKED, ids).call(then::get);
    }
}
