package io.perdure.core.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Surroundings;
import io.perdure.sdk.workflow.Attempt;
import org.jspecify.annotations.Nullable;

/** Has a span for each attempt that is made in this process, current while the step's code runs: what that calls is traced under it. */
final class TracedSteps implements Surroundings {
    // A thread works on one run at a time, whichever engine's it is.
    private static final ThreadLocal<@Nullable RunCard> RUN = new ThreadLocal<>();
    private static final ThreadLocal<@Nullable Open> OPEN = new ThreadLocal<>();

    private final RunSpans spans;

    private record Open(Span span, Scope scope) {}

    TracedSteps(RunSpans spans) {
        this.spans = spans;
    }

    @Override
    public void enterRun(Assignment taken) {
        RUN.set(RunCard.of(taken.held().run(), taken.version(), taken.history().getFirst()));
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // Closed when the step is left.
    public TraceContext enterStep(Attempt attempt) {
        RunCard card = RUN.get();
        if (card == null) {
            return attempt.trace();
        }
        Span span = spans.attempt(card, attempt.step(), attempt.number(), attempt.trace());
        OPEN.set(new Open(span, span.makeCurrent()));
        SpanContext given = span.getSpanContext();
        return given.isValid()
                ? new TraceContext(given.getTraceId(), given.getSpanId(), given.isSampled())
                : attempt.trace();
    }

    @Override
    public void leaveStep(@Nullable Throwable error) {
        Open left = OPEN.get();
        OPEN.remove();
        if (left != null) {
            left.scope().close();
            if (error != null) {
                // What it says may be about somebody's data.
                left.span().setStatus(StatusCode.ERROR, error.getClass().getName());
            }
            left.span().end();
        }
    }

    @Override
    public void leaveRun() {
        RUN.remove();
    }
}
