package io.perdure.sdk.worker;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.workflow.Attempt;
import java.time.Instant;

/** Does what a StepFlow's last event leads to. What cannot be done within this turn is thrown as a {@link Suspension}. */
interface FlowPerformer {
    /**
     * Claims the attempt of a step by recording that it begins, and makes it. Answers {@code StepCompleted}, which is yet to be made
     * durable, or {@code StepFailed}, which was not handed over.
     */
    Event attempt(Try made, Retry retry, FlowStep code);

    /**
     * An attempt that is to be made.
     *
     * @param visit how often the flow has come by this step, this time included
     */
    record Try(StepName step, int number, int visit) {}

    /** Records a failure; answers when the next attempt may begin. */
    Instant retryLater(Event.StepFailed failed);

    /** Waits for the rest of a delay that was recorded. */
    void rest(Instant until);

    /** The code of a step. */
    interface FlowStep {
        /** Runs it; answers what it returned, as it is to be recorded. */
        Event.StepCompleted run(Attempt attempt, Instant startedAt) throws Exception;
    }
}
