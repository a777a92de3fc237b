package io.perdure.core.workflow;

import io.perdure.core.logging.LogContext;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.worker.Surroundings;
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
    public void enterRun(RunId run, WorkflowName workflow) {
        MDC.put(RUN, run.toString());
        MDC.put(WORKFLOW, workflow.value());
    }

    @Override
    public void enterStep(StepName step, int attempt) {
        MDC.put(STEP, step.value());
        MDC.put(ATTEMPT, Integer.toString(attempt));
    }

    @Override
    public void leaveStep() {
        MDC.remove(STEP);
        MDC.remove(ATTEMPT);
    }

    @Override
    public void leaveRun() {
        MDC.remove(RUN);
        MDC.remove(WORKFLOW);
    }
}
