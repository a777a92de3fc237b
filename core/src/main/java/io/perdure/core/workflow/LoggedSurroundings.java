package io.perdure.core.workflow;

import io.perdure.core.logging.LogContext;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Surroundings;
import io.perdure.sdk.workflow.Attempt;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Puts run, workflow, step and attempt into SLF4J's MDC, so that the log lines of a step say whose they are. */
final class LoggedSurroundings implements Surroundings {
    static final String RUN = "perdure.run";
    static final String WORKFLOW = "perdure.workflow";
    static final String STEP = "perdure.step";
    static final String ATTEMPT = "perdure.attempt";

    /** The same, or nothing at all where no logging is set up. */
    static Surroundings ifLogging() {
        return LogContext.isThere() ? new LoggedSurroundings() : Surroundings.NONE;
    }

    @Override
    public void enterRun(Assignment run) {
        MDC.put(RUN, run.held().run().toString());
        MDC.put(WORKFLOW, run.workflow().value());
    }

    @Override
    public TraceContext enterStep(Attempt attempt) {
        MDC.put(STEP, attempt.step().value());
        MDC.put(ATTEMPT, Integer.toString(attempt.number()));
        return attempt.trace();
    }

    @Override
    public void leaveStep(@Nullable Throwable error) {
        MDC.remove(STEP);
        MDC.remove(ATTEMPT);
    }

    @Override
    public void leaveRun() {
        MDC.remove(RUN);
        MDC.remove(WORKFLOW);
    }
}
