package io.perdure.core.workflow;

import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Suspect;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.run.RecoveryReason;
import io.perdure.sdk.worker.Transition;
import io.perdure.sdk.worker.Transition.Action;
import io.perdure.sdk.worker.Transition.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What mends a run that does not go on by itself: the events to append, and when it is due again. Decides by what was read, and does
 * nothing itself.
 *
 * @param last the number of the event that it is to be appended after
 */
record Remedy(RecoveryReason reason, long last, List<Draft> events, Due ready) {
    /**
     * What helps a run whose step has overrun its time by more than the grace; empty where it has not. Not for a run that merely waits to be
     * claimed: nobody is in its step.
     */
    static Optional<Remedy> ofTimeout(Suspect suspect, Instant overdueSince) {
        Recorded last = suspect.last();
        Instant until = last.until();
        if (!(last.event() instanceof Event.StepStarted started) || until == null || until.isAfter(overdueSince)) {
            return Optional.empty();
        }
        Failure why = new Failure(
                "timeout",
                "Attempt %s should have ended at %s, and nobody said how it did.".formatted(started.attempt(), until),
                null);
        Duration retryIn = started.retryIn();
        Event.StepFailed failed = new Event.StepFailed(started.step(), started.attempt(), why, true);
        return Optional.of(
                retryIn == null
                        ? new Remedy(
                                RecoveryReason.TIMEOUT,
                                last.seq(),
                                List.of(new Draft(failed), new Draft(new Event.RunFailed(why))),
                                Due.atOnce())
                        : new Remedy(
                                RecoveryReason.TIMEOUT,
                                last.seq(),
                                List.of(new Draft(failed, Due.in(retryIn))),
                                Due.in(retryIn)));
    }

    /**
     * What helps a run that has no message; empty where it should be left alone.
     *
     * @param named how its workflow is written, if anybody knows besides the history
     */
    static Optional<Remedy> ofLostMessage(RunSnapshot run, @Nullable RunKind named) {
        List<Recorded> history = run.history();
        Recorded last = history.getLast();
        boolean flow = named == RunKind.STEP_FLOW
                || (named == null
                        && history.stream().anyMatch(recorded -> recorded.event() instanceof Event.StepStarted));
        if (!flow) {
            return Optional.of(resumed(reason(last.event()), last.seq()));
        }
        Position at = Position.of(history, attempts(history));
        return switch (Transition.after(at)) {
            case Action.CompleteRun(var result) -> Optional.of(ended(last.seq(), new Event.RunCompleted(result)));
            case Action.FailRun(Failure why) -> Optional.of(ended(last.seq(), new Event.RunFailed(why)));
            // Whoever claimed it may still be at work; when its time is over, it is given up.
            case Action.StartStep _ when last.event() instanceof Event.StepStarted -> Optional.empty();
            case Action.StartStep _, Action.None _ -> Optional.of(resumed(reason(at.last()), last.seq()));
        };
    }

    /**
     * What helps a run that has no message and is too large to be read here: the worker that claims it goes on with it, or parks it and says why.
     * Empty while somebody may still be at work on its step.
     */
    static Optional<Remedy> ofLargeRun(Suspect suspect) {
        Event last = suspect.last().event();
        return last instanceof Event.StepStarted
                ? Optional.empty()
                : Optional.of(resumed(reason(last), suspect.last().seq()));
    }

    private static Remedy ended(long last, Event end) {
        return new Remedy(RecoveryReason.STUCK_TERMINAL, last, List.of(new Draft(end)), Due.atOnce());
    }

    private static Remedy resumed(RecoveryReason reason, long last) {
        Event event = new Event.RunResumed(Interventions.ENGINE, reason.word(), null);
        return new Remedy(reason, last, List.of(new Draft(event)), Due.atOnce());
    }

    private static RecoveryReason reason(Event last) {
        return switch (last) {
            case Event.RunCreated _ -> RecoveryReason.STUCK_CREATED;
            case Event.StepFailed _ -> RecoveryReason.STUCK_FAILED;
            case Event _ -> RecoveryReason.STUCK_COMPLETED;
        };
    }

    /** How often its flow tries a step, as far as the history tells: a failure that is not the last has a time for the next attempt. */
    private static int attempts(List<Recorded> history) {
        Position any = Position.of(history, 1);
        return any.last() instanceof Event.StepFailed failed && any.until() != null ? failed.attempt() + 1 : 1;
    }
}
