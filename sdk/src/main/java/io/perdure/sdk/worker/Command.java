package io.perdure.sdk.worker;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is to be done with a run next, as its code and its history decide. */
public sealed interface Command {
    /** A step is to be tried. */
    record RunStep(StepName step, int attempt) implements Command {}

    /** A sleep begins. */
    record Sleep(StepName name, Due until) implements Command {}

    /** A step failed, and is tried again after a delay. */
    record RetryLater(Event.StepFailed failed, Duration delay) implements Command {}

    /** A sleep or a delay that began before is not over. */
    record Rest(Instant until) implements Command {}

    /**
     * The run waits for an event that is not in its mailbox.
     *
     * @param until when it gives up
     * @param begun whether the wait is in the history already
     */
    record AwaitEvent(Wait what, Due until, boolean begun) implements Command {}

    /** A wait takes a signal out of the mailbox. */
    record TakeEvent(Wait what, long signal) implements Command {}

    /** A wait has ended without a signal. */
    record GiveUp(StepName name) implements Command {}

    /** The run was signalled while it was about to wait: its mailbox is to be read anew. */
    record LookAgain() implements Command {}

    /** The run had its turn; others wait. */
    record Yield() implements Command {}

    /**
     * A StepFlow's step has ended the run.
     *
     * @param step its completion, which is not in the history yet, with the run's result
     */
    record Finish(Event.StepCompleted step) implements Command {}

    /** The code returned. */
    record Complete(Json result) implements Command {}

    /**
     * The code threw, or a step has no attempt left.
     *
     * @param step the last failure of the step, where one is to blame that is not in the history yet
     */
    record Fail(Event.@Nullable StepFailed step, Failure reason) implements Command {}

    /** The run is past its deadline. */
    record Cancel(String reason) implements Command {}

    /**
     * Someone must look at the run: its code cannot go on.
     *
     * @param thrown what the code threw, if that is why; only logged
     */
    record Park(String reason, String detail, @Nullable Failure thrown) implements Command {
        private static final Pattern ABOUT_VALUES = Pattern.compile("PD-0[0-9]{2}");

        /** Parks a run whose code threw nothing that is worth a stack trace. */
        Park(String reason, String detail) {
            this(reason, detail, null);
        }

        /**
         * What may stand in a log. What Perdure says of values quotes them, and nobody knows what an error of the user's code says: of those there
         * is the reason, and the rest is in the history.
         */
        String logged() {
            boolean ours = reason.equals("lapsed") || reason.startsWith("PD-");
            return ours && !ABOUT_VALUES.matcher(reason).matches() ? detail : reason + "; its history says more.";
        }
    }

    /** The run is somebody else's. */
    record Drop(String why) implements Command {}
}
