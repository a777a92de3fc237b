package io.perdure.sdk.history;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What can happen to a run. Events are appended to its history and never changed; {@link Recorded} adds the number and the
 * times that the store gave them, {@link EventJson} is their written form.
 */
public sealed interface Event {
    /**
     * The run began. This event lives in the run's own row and has number 0.
     *
     * @param version the version that the start named; absent where it left that to the first claim, and then for good
     * @param kind how the workflow is written; absent where the starter did not know
     * @param writes what a StepFlow finds in its scratchpad at the start
     * @param tags what is kept with the run, and shown with it
     */
    record RunCreated(
            WorkflowName workflow,
            @Nullable Integer version,
            @Nullable RunKind kind,
            Json input,
            Map<String, Json> writes,
            @Nullable IdempotencyKey idempotencyKey,
            @Nullable WorkflowId workflowId,
            @Nullable RunId parent,
            Map<String, String> tags)
            implements Event {
        public RunCreated {
            requireVersion(version);
            writes = ordered(writes);
            tags = ordered(tags);
        }
    }

    /**
     * A StepFlow claimed a step, or a step that must run at most once is about to. {@link Recorded#until} is when the attempt should be over.
     *
     * @param retryIn how long the next attempt waits where this one is given up from outside; absent where there is none
     */
    record StepStarted(StepName step, int attempt, @Nullable Duration retryIn) implements Event {
        /** The last attempt that there is. */
        public StepStarted(StepName step, int attempt) {
            this(step, attempt, null);
        }
    }

    /**
     * A step returned.
     *
     * @param output what it returned; absent for a step without a result
     * @param writes what a StepFlow's step put into the scratchpad
     * @param next the step that a StepFlow goes on with
     * @param startedAt when the attempt that returned began, by the worker's clock
     */
    record StepCompleted(
            StepName step,
            int attempt,
            @Nullable Json output,
            Map<String, Json> writes,
            @Nullable StepName next,
            Instant startedAt)
            implements Event {
        public StepCompleted {
            writes = ordered(writes);
        }

        /** A code step that returned this at its first attempt. */
        public StepCompleted(StepName step, @Nullable Json output, Instant startedAt) {
            this(step, 1, output, Map.of(), null, startedAt);
        }
    }

    /**
     * A step threw. The time of its next attempt, if there is one, is {@link Recorded#until}.
     *
     * @param startedAt when the attempt began, by the worker's clock; absent where it was given up from outside, or an older release wrote this
     */
    record StepFailed(
            StepName step,
            int attempt,
            Failure reason,
            boolean retryable,
            @Nullable Instant startedAt) implements Event {
        /** One that was given up from outside: when it began is not known there. */
        public StepFailed(StepName step, int attempt, Failure reason, boolean retryable) {
            this(step, attempt, reason, retryable, null);
        }
    }

    /** A sleep began; it ends at {@link Recorded#until}, which was fixed once. */
    record SleepStarted(StepName name) implements Event {}

    /**
     * The run waits for an event, at most until {@link Recorded#until}.
     *
     * @param name the wait's own name
     * @param event the name of the event waited for
     * @param match what the event's payload must contain; absent where any payload will do
     */
    record WaitStarted(
            StepName name, EventName event, @Nullable Json match) implements Event {}

    /**
     * A wait took a signal out of the run's mailbox.
     *
     * @param signal the signal's number in the mailbox
     */
    record EventReceived(StepName name, EventName event, long signal, Json payload) implements Event {}

    /** A wait ended without a signal. */
    record WaitTimedOut(StepName name) implements Event {}

    /** The run started another one. */
    record ChildStarted(StepName name, RunId child, WorkflowName workflow) implements Event {}

    /**
     * The run learned that its child ended.
     *
     * @param signal the number in the mailbox of the notice that brought it
     * @param output the child's result, if it completed
     * @param error why the child failed, if it did
     */
    record ChildEnded(
            StepName name,
            RunId child,
            RunStatus status,
            long signal,
            @Nullable Json output,
            @Nullable Failure error) implements Event {}

    /** The run was set aside, alive, for someone to look at. Texts that are too long are cut, here and below. */
    record RunParked(String reason, String detail) implements Event {
        public RunParked {
            reason = Failure.cut(reason);
            detail = Failure.cut(detail);
        }
    }

    /**
     * The run was put back to work.
     *
     * @param version the version it goes on with; absent where it keeps its own
     */
    record RunResumed(String by, String reason, @Nullable Integer version) implements Event {
        public RunResumed {
            by = Failure.cut(by);
            reason = Failure.cut(reason);
            requireVersion(version);
        }
    }

    /** A failed run was put back to work; its attempts are counted anew. */
    record RunRedriven(String by, String reason) implements Event {
        public RunRedriven {
            by = Failure.cut(by);
            reason = Failure.cut(reason);
        }
    }

    record RunCompleted(Json result) implements Event {}

    record RunFailed(Failure reason) implements Event {}

    record RunCancelled(String by, String reason) implements Event {
        public RunCancelled {
            by = Failure.cut(by);
            reason = Failure.cut(reason);
        }
    }

    /** Its kind, with the name of the step, sleep or wait where it is of one: what messages call it by. Tells no values. */
    default String title() {
        String kind = getClass().getSimpleName();
        return switch (this) {
            case StepStarted e -> kind + " \"" + e.step() + "\"";
            case StepCompleted e -> kind + " \"" + e.step() + "\"";
            case StepFailed e -> kind + " \"" + e.step() + "\"";
            case SleepStarted e -> kind + " \"" + e.name() + "\"";
            case WaitStarted e -> kind + " \"" + e.name() + "\"";
            case EventReceived e -> kind + " \"" + e.name() + "\"";
            case WaitTimedOut e -> kind + " \"" + e.name() + "\"";
            case ChildStarted e -> kind + " \"" + e.name() + "\"";
            case ChildEnded e -> kind + " \"" + e.name() + "\"";
            case RunCreated _, RunParked _, RunResumed _, RunRedriven _, RunCompleted _, RunFailed _, RunCancelled _ ->
                kind;
        };
    }

    /** Whether a run that is running neither goes on nor keeps a message after this. */
    default boolean endsOrParks() {
        return RunStatus.RUNNING
                .after(this)
                .filter(next -> next != RunStatus.RUNNING)
                .isPresent();
    }

    private static void requireVersion(@Nullable Integer version) {
        if (version != null && version < 1) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS, "A workflow's version is " + version + ", below 1.");
        }
    }

    /** Sorted by name, so that equal events read, print and hash alike in every process. */
    private static <T> Map<String, T> ordered(Map<String, T> values) {
        return Collections.unmodifiableMap(new TreeMap<>(values));
    }
}
