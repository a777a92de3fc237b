package io.perdure.testkit.simulation;

import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One thing that a sample workflow does. */
sealed interface Op {
    StepName name();

    /** Runs a body that may throw. */
    record Step(StepName name, int attempts, Duration backoff, double failing) implements Op {}

    record Sleep(StepName name, Duration length) implements Op {}

    /**
     * Waits for an event.
     *
     * @param timeout how long at most; absent for ever
     */
    record Await(StepName name, EventName event, @Nullable Duration timeout) implements Op {}

    record Send(StepName name, QueueName queue, @Nullable GroupKey group) implements Op {}

    /**
     * Starts a child and waits for its end.
     *
     * @param failing the chance that the run fails instead of waiting, unless it was redriven
     */
    record Child(StepName name, WorkflowName workflow, double failing) implements Op {}

    /** Fails the run, unless it was redriven. */
    record Fail(StepName name) implements Op {}
}
