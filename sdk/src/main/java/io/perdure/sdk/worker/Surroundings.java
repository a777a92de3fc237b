package io.perdure.sdk.worker;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;

/** Told on the thread of a run what it is doing, so that log lines can say so. */
public interface Surroundings {
    /** Nothing around a run wants to know. */
    Surroundings NONE = new Surroundings() {};

    /** The thread works on this run from now on. */
    default void enterRun(RunId run, WorkflowName workflow) {}

    /** And on this step of it. */
    default void enterStep(StepName step, int attempt) {}

    /** The step is over. */
    default void leaveStep() {}

    /** The thread is done with the run. */
    default void leaveRun() {}
}
