package io.perdure.core.telemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.trace.TraceContext;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The spans of runs: one for a run, written when it has ended, one for each attempt at a step, one for where a sleep or a wait began, and one for
 * each signal. They are children of the run's span, whose id everybody works out ({@link TraceContext}), so those that are written first have
 * a parent that is yet to come.
 *
 * <p>That id is asked for through {@link SpanIds}. Where the tracer does not give it, the run's span stands beside its steps, in the same trace, instead
 * of above them.
 *
 * <p>What a tracer does with a span that ends is its own affair, and may take as long as a collector does. So spans of what has become durable are written
 * {@linkplain Errands aside}, with the times that they had; those of steps that run here are written by the step's thread.
 */
final class RunSpans {
    static final String RUN = "workflow.run";
    static final String STEP = "workflow.step";
    static final String SIGNAL = "workflow.signal";

    private final Tracer tracer;
    private final Errands later;
    private final boolean givesIds;

    RunSpans(OpenTelemetry telemetry, Errands later) {
        this.tracer = telemetry.getTracer("io.perdure");
        this.later = later;
        this.givesIds = givesIds(tracer);
    }

    /** Asks for a span under some id, and looks whether it has it. That span never ends, and so is written nowhere. */
    private static boolean givesIds(Tracer tracer) {
        TraceContext asked = TraceContext.ofRun(new RunId(new UUID(1, 2)), Map.of());
        Span span = SpanIds.asking(
                asked, () -> tracer.spanBuilder(RUN).setNoParent().startSpan());
        return span.getSpanContext().getSpanId().equals(asked.spanId());
    }

    /** The run has ended. */
    void ended(RunCard run, RunStatus status, Instant at) {
        later.add(() -> writeEnd(run, status, at));
    }

    private void writeEnd(RunCard run, RunStatus status, Instant at) {
        SpanBuilder span = tracer.spanBuilder(RUN)
                .setAttribute("workflow.name", run.workflow().value())
                .setAttribute("run_id", run.run().toString())
                .setAttribute("status", status.word())
                .setStartTimestamp(run.since());
        if (run.version() != null) {
            span.setAttribute("workflow.version", (long) run.version());
        }
        String error = status == RunStatus.FAILED ? status.word() : null;
        if (!givesIds || run.redrivenAt() != null) {
            // A span that is there already has the run's id: this one is below it.
            end(span.setParent(Places.context(run.trace())).startSpan(), error, run.since(), at);
            return;
        }
        run.caller().ifPresentOrElse(caller -> span.setParent(Places.context(caller)), span::setNoParent);
        end(begin(span, run.trace()), error, run.since(), at);
    }

    /** An attempt at a step that a worker elsewhere has made. */
    void attempted(RunCard run, Recorded recorded) {
        switch (recorded.event()) {
            case Event.StepCompleted step ->
                attempted(run, new Made(step.step(), step.attempt(), step.startedAt(), null), recorded.at());
            case Event.StepFailed step -> {
                Instant startedAt = step.startedAt();
                if (startedAt != null) {
                    String error = step.reason().type();
                    attempted(run, new Made(step.step(), step.attempt(), startedAt, error), recorded.at());
                }
            }
            case Event _ -> {
                // The others are no attempts.
            }
        }
    }

    /** An attempt, as its event tells of it; without what it returned, which may be large. */
    private record Made(
            StepName step,
            int number,
            Instant startedAt,
            @Nullable String error) {}

    private void attempted(RunCard run, Made made, Instant at) {
        later.add(() -> writeAttempt(run, made, at));
    }

    private void writeAttempt(RunCard run, Made made, Instant at) {
        SpanBuilder span = step(run, made.step(), "run")
                .setAttribute("step.attempt", (long) made.number())
                .setStartTimestamp(made.startedAt());
        TraceContext asked = run.trace().ofStep(made.step(), made.number(), made.startedAt());
        end(begin(span, asked), made.error(), made.startedAt(), at);
    }

    /** Begins the span of an attempt that is made here. */
    Span attempt(RunCard run, StepName step, int attempt, TraceContext asked) {
        return begin(step(run, step, "run").setAttribute("step.attempt", (long) attempt), asked);
    }

    /** A sleep or a wait began. What follows it in the trace is the gap that it is. */
    void paused(RunCard run, StepName name, String kind, Instant at) {
        later.add(() -> step(run, name, kind)
                .setAttribute("step.attempt", 1L)
                .setStartTimestamp(at)
                .startSpan()
                .end(at));
    }

    /** A signal was put into the run's mailbox. */
    void signalled(RunCard run, EventName event, Instant at) {
        later.add(() -> tracer.spanBuilder(SIGNAL)
                .setParent(Places.context(run.trace()))
                .setAttribute("workflow.name", run.workflow().value())
                .setAttribute("run_id", run.run().toString())
                .setAttribute("event", event.value())
                .setStartTimestamp(at)
                .startSpan()
                .end(at));
    }

    private SpanBuilder step(RunCard run, StepName step, String kind) {
        return tracer.spanBuilder(STEP)
                .setParent(Places.context(run.trace()))
                .setAttribute("workflow.name", run.workflow().value())
                .setAttribute("run_id", run.run().toString())
                .setAttribute("step.name", step.value())
                .setAttribute("step.kind", kind);
    }

    private static Span begin(SpanBuilder span, TraceContext asked) {
        return SpanIds.asking(asked, span::startSpan);
    }

    private static void end(Span span, @Nullable String error, Instant from, Instant at) {
        if (error != null) {
            span.setStatus(StatusCode.ERROR, error);
        }
        // Two clocks may disagree by a little.
        span.end(from.isBefore(at) ? at : from);
    }
}
