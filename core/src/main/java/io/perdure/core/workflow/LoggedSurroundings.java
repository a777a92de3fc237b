package io.perdure.core.workflow;

import io.perdure.core.logging.LogContext;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.logging.LogKey;
import io.perdure.sdk.worker.Surroundings;

/** Puts run, workflow, step and attempt into SLF4J's MDC, so that the log lines of a step say whose they are. */
final class LoggedSurroundings implements Surroundings {
    /** The same, or nothing at all where no logging is set up. */
    static Surroundings ifLogging() {
        return LogContext.isThere() ? new LoggedSurroundings() : Surroundings.NONE;
    }

    @Override
    public void enterRun(RunId run, WorkflowName workflow) {
        LogContext.put(LogKey.RUN, run.toString());
        LogContext.put(LogKey.WORKFLOW, workflow.value());
    }

    @Override
    public void enterStep(StepName step, int attempt) {
        LogContext.put(LogKey.STEP, step.value());
        LogContext.put(LogKey.ATTEMPT, Integer.toString(attempt));
    }

    @Override
    public void leaveStep() {
        LogContext.remove(LogKey.STEP, LogKey.ATTEMPT);
    }

    @Override
    public void leaveRun() {
        LogContext.remove(LogKey.RUN, LogKey.WORKFLOW);
    }
}
