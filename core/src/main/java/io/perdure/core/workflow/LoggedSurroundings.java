package io.perdure.core.workflow;

import io.perdure.core.logging.LogContext;
import io.perdure.sdk.logging.LogKey;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Surroundings;
import io.perdure.sdk.workflow.Attempt;
import org.jspecify.annotations.Nullable;

/** Puts run, workflow, step and attempt into SLF4J's MDC, so that the log lines of a step say whose they are. */
final class LoggedSurroundings implements Surroundings {
    /** The same, or nothing at all where no logging is set up. */
    static Surroundings ifLogging() {
        return LogContext.isThere() ? new LoggedSurroundings() : Surroundings.NONE;
    }

    @Override
    public void enterRun(Assignment run) {
        LogContext.put(LogKey.RUN, run.held().run().toString());
        LogContext.put(LogKey.WORKFLOW, run.workflow().value());
    }

    @Override
    public TraceContext enterStep(Attempt attempt) {
        LogContext.put(LogKey.STEP, attempt.step().value());
        LogContext.put(LogKey.ATTEMPT, Integer.toString(attempt.number()));
        return attempt.trace();
    }

    @Override
    public void leaveStep(@Nullable Throwable error) {
        LogContext.remove(LogKey.STEP, LogKey.ATTEMPT);
    }

    @Override
    public void leaveRun() {
        LogContext.remove(LogKey.RUN, LogKey.WORKFLOW);
    }
}
