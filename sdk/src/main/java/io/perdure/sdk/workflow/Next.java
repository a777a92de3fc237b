package io.perdure.sdk.workflow;

import io.perdure.sdk.id.StepName;
import org.jspecify.annotations.Nullable;

/** How a StepFlow goes on after a step: what the step's code returns. */
public sealed interface Next {
    /** With the step of this name. */
    record Step(StepName name) implements Next {}

    /**
     * Not at all: the run has this result.
     *
     * @param result becomes JSON
     */
    record Done(@Nullable Object result) implements Next {}

    /** Goes on with the step of this name, which may be this one again; {@code PD-001} for a name that is not valid. */
    static Next step(String name) {
        return new Step(new StepName(name));
    }

    /** Completes the run with this result. */
    static Next done(@Nullable Object result) {
        return new Done(result);
    }

    /** Completes the run without a result. */
    static Next done() {
        return new Done(null);
    }
}
