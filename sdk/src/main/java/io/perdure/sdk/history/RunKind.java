package io.perdure.sdk.history;

/** How a run's workflow is written. */
public enum RunKind {
    /** As straight Java code, replayed from its history. */
    CODE("code"),
    /** As named steps that return the next one. */
    STEP_FLOW("a StepFlow");

    private final String words;

    RunKind(String words) {
        this.words = words;
    }

    /** What it is written as, for messages. */
    public String words() {
        return words;
    }
}
