package io.perdure.sdk.worker;

import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.workflow.Attempt;
import org.jspecify.annotations.Nullable;

/** Told on the thread of a run what it is doing, so that log lines and traces can say so. */
public interface Surroundings {
    /** Nothing around a run wants to know. */
    Surroundings NONE = new Surroundings() {};

    /** The thread works on this run from now on. */
    default void enterRun(Assignment run) {}

    /**
     * And on this attempt at a step of it. Answers the place in a trace that it has: its own, which nobody need know of, unless somebody
     * records it under another.
     */
    default TraceContext enterStep(Attempt attempt) {
        return attempt.trace();
    }

    /**
     * The attempt is over.
     *
     * @param error why it failed; absent where it did not
     */
    default void leaveStep(@Nullable Throwable error) {}

    /** The thread is done with the run. */
    default void leaveRun() {}

    /** These first, and then the others; left the other way round. */
    default Surroundings and(Surroundings others) {
        Surroundings first = this;
        return new Surroundings() {
            @Override
            public void enterRun(Assignment run) {
                first.enterRun(run);
                others.enterRun(run);
            }

            @Override
            public TraceContext enterStep(Attempt attempt) {
                return others.enterStep(attempt.in(first.enterStep(attempt)));
            }

            @Override
            public void leaveStep(@Nullable Throwable error) {
                others.leaveStep(error);
                first.leaveStep(error);
            }

            @Override
            public void leaveRun() {
                others.leaveRun();
                first.leaveRun();
            }
        };
    }
}
