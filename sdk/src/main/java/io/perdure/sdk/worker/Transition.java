package io.perdure.sdk.worker;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.StepFlow;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a StepFlow does next. Its last event decides, and nothing else does: workers, retries and the recovery sweep all ask this table, and
 * the diagram in {@code docs/concepts/stepflows.md} is drawn from it.
 *
 * <p>That a run was parked and resumed, or redriven, changes nothing about which event decides; only that after a redrive the attempts of
 * the step that had failed are counted anew.
 */
public enum Transition {
    BEGIN(Event.RunCreated.class, "", Effect.START_STEP),
    BEGIN_ANEW(Event.StepStarted.class, "and whoever began it is gone", Effect.START_STEP),
    GO_ON(Event.StepCompleted.class, "with a next step", Effect.START_STEP),
    COMPLETE(Event.StepCompleted.class, "without a next step", Effect.COMPLETE_RUN),
    TRY_AGAIN(Event.StepFailed.class, "retryable, with attempts left", Effect.START_STEP),
    REDRIVE(Event.StepFailed.class, "and then redriven", Effect.START_STEP),
    GIVE_UP(Event.StepFailed.class, "not retryable, or the last attempt", Effect.FAIL_RUN),
    REST(Event.RunParked.class, "", Effect.NONE),
    COMPLETED(Event.RunCompleted.class, "", Effect.NONE),
    FAILED(Event.RunFailed.class, "", Effect.NONE),
    CANCELLED(Event.RunCancelled.class, "", Effect.NONE),
    /** The history is that of a workflow written as code. */
    FOREIGN(Event.class, "of a workflow written as code", Effect.NONE);

    private final Class<? extends Event> event;
    private final String condition;
    private final Effect effect;

    Transition(Class<? extends Event> event, String condition, Effect effect) {
        this.event = event;
        this.condition = condition;
        this.effect = effect;
    }

    /** The kinds of actions. */
    public enum Effect {
        START_STEP,
        COMPLETE_RUN,
        FAIL_RUN,
        NONE
    }

    /** What is to be done. */
    public sealed interface Action {
        /**
         * The attempt of a step is claimed and made.
         *
         * @param notBefore when its delay is over; absent where there is none
         */
        record StartStep(
                StepName step, int attempt, @Nullable Instant notBefore) implements Action {}

        /** The run is over, with this result. */
        record CompleteRun(Json result) implements Action {}

        /** The run is over, for this reason. */
        record FailRun(Failure reason) implements Action {}

        /** Nothing: it is over, set aside, or not a StepFlow's. */
        record None(Event because) implements Action {}
    }

    /**
     * Where a run stands.
     *
     * @param last its last event, those aside that put it back to work
     * @param until the time that the store fixed for that event
     * @param redriven whether the run was redriven since
     * @param maxAttempts how often its flow tries a step
     */
    public record Position(Event last, @Nullable Instant until, boolean redriven, int maxAttempts) {
        /** Where a run stands that has done this just now. */
        static Position after(Event event, @Nullable Instant until, int maxAttempts) {
            return new Position(event, until, false, maxAttempts);
        }

        /** Where a run stands that has this history, {@code RunCreated} first. */
        public static Position of(List<Recorded> history, int maxAttempts) {
            boolean redriven = false;
            boolean putBack = false;
            for (Recorded recorded : history.reversed()) {
                Event event = recorded.event();
                boolean looksBack = event instanceof Event.RunResumed
                        || event instanceof Event.RunRedriven
                        || (putBack && (event instanceof Event.RunParked || event instanceof Event.RunFailed));
                if (!looksBack) {
                    return new Position(event, recorded.until(), redriven, maxAttempts);
                }
                putBack = true;
                redriven |= event instanceof Event.RunRedriven;
            }
            throw new IllegalArgumentException("a history begins with RunCreated");
        }
    }

    /** The row of the table that holds for a position. */
    public static Transition of(Position at) {
        return switch (at.last()) {
            case Event.RunCreated _ -> BEGIN;
            case Event.StepStarted _ -> BEGIN_ANEW;
            case Event.StepCompleted e -> e.next() == null ? COMPLETE : GO_ON;
            case Event.StepFailed _ when at.redriven() -> REDRIVE;
            case Event.StepFailed e -> e.retryable() && e.attempt() < at.maxAttempts() ? TRY_AGAIN : GIVE_UP;
            case Event.RunParked _ -> REST;
            case Event.RunCompleted _ -> COMPLETED;
            case Event.RunFailed _ -> FAILED;
            case Event.RunCancelled _ -> CANCELLED;
            case Event.SleepStarted _,
                    Event.WaitStarted _,
                    Event.EventReceived _,
                    Event.WaitTimedOut _,
                    Event.ChildStarted _,
                    Event.ChildEnded _,
                    Event.RunResumed _,
                    Event.RunRedriven _ -> FOREIGN;
        };
    }

    /** What is to be done at a position. */
    public static Action after(Position at) {
        return switch (of(at)) {
            case BEGIN -> new Action.StartStep(StepFlow.FIRST, 1, null);
            case BEGIN_ANEW -> again((Event.StepStarted) at.last());
            case GO_ON -> new Action.StartStep(nextOf((Event.StepCompleted) at.last()), 1, null);
            case COMPLETE -> new Action.CompleteRun(resultOf((Event.StepCompleted) at.last()));
            case TRY_AGAIN -> nextAttempt((Event.StepFailed) at.last(), at.until());
            case REDRIVE -> new Action.StartStep(((Event.StepFailed) at.last()).step(), 1, null);
            case GIVE_UP -> new Action.FailRun(((Event.StepFailed) at.last()).reason());
            case REST, COMPLETED, FAILED, CANCELLED, FOREIGN -> new Action.None(at.last());
        };
    }

    private static Action again(Event.StepStarted started) {
        return new Action.StartStep(started.step(), started.attempt(), null);
    }

    private static StepName nextOf(Event.StepCompleted done) {
        return Objects.requireNonNull(done.next(), "the table has looked");
    }

    private static Json resultOf(Event.StepCompleted done) {
        Json output = done.output();
        return output == null ? Json.NULL : output;
    }

    private static Action nextAttempt(Event.StepFailed failed, @Nullable Instant notBefore) {
        return new Action.StartStep(failed.step(), failed.attempt() + 1, notBefore);
    }

    /** The event that leads here. */
    public Class<? extends Event> event() {
        return event;
    }

    /** What else must hold, in words; empty where nothing. */
    public String condition() {
        return condition;
    }

    /** What it leads to. */
    public Effect effect() {
        return effect;
    }
}
