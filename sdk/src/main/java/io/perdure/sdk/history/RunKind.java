package io.perdure.sdk.history;

/** How a run's workflow is written. */
public enum RunKind {
    /** As straight Java code, replayed from its history. */
    CODE,
    /** As named steps that return the next one. */
    STEP_FLOW
}
