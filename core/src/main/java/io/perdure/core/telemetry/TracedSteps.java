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
    private final Teller teller;

    private record Open(Span span, Scope scope) {}

    TracedSteps(RunSpans spans, Teller teller) {
        this.spans = spans;
        this.teller = teller;
    }

    @Override
    public void enterRun(Assignment taken) {
        teller.tell(() -> RUN.set(RunCard.of(taken.held(), taken.version(), taken.history())));
    }

    @Override
    public TraceContext enterStep(Attempt attempt) {
        teller.tell(() -> open(attempt));
        Open opened = OPEN.get();
        SpanContext given =
                opened == null ? SpanContext.getInvalid() : opened.span().getSpanContext();
        return given.isValid() ? Places.of(given) : attempt.trace();
    }

    @SuppressWarnings("MustBeClosedChecker") // Closed when the step is left.
    private void open(Attempt attempt) {
        RunCard card = RUN.get();
        if (card != null) {
            Span span = spans.attempt(card, attempt.step(), attempt.number(), attempt.trace());
            OPEN.set(new Open(span, span.makeCurrent()));
        }
    }

    @Override
    public void leaveStep(@Nullable Throwable error) {
        Open left = OPEN.get();
        OPEN.remove();
        if (left != null) {
            teller.tell(left.scope()::close);
            teller.tell(() -> end(left.span(), error));
        }
    }

    private static void end(Span span, @Nullable Throwable error) {
        if (error != null) {
            // What it says may be about somebody's data.
            span.setStatus(StatusCode.ERROR, error.getClass().getName());
        }
        span.end();
    }

    @Override
    public void leaveRun() {
        RUN.remove();
    }
}
