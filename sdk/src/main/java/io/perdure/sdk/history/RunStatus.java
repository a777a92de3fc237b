package io.perdure.sdk.history;

import java.util.Locale;
import java.util.Optional;

/** Where a run stands. The one place that decides what may follow what is {@link #after}. */
public enum RunStatus {
    RUNNING,
    /** Set aside, alive: it has no message, keeps its keys and takes signals, until it is resumed or cancelled. */
    PARKED,
    COMPLETED,
    FAILED,
    CANCELLED;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The status as it is written and spoken: in lower case. */
    public String word() {
        return word;
    }

    /** Whether the run is over. Only a failed one can still change, by being redriven. */
    public boolean isTerminal() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }

    /** The status that an event leads to from this one; empty where the event is not allowed. */
    public Optional<RunStatus> after(Event event) {
        RunStatus next = next(event);
        boolean allowed = switch (this) {
            case RUNNING -> !(event instanceof Event.RunRedriven || event instanceof Event.RunCreated);
            case PARKED -> event instanceof Event.RunResumed || event instanceof Event.RunCancelled;
            case FAILED -> event instanceof Event.RunRedriven;
            case COMPLETED, CANCELLED -> false;
        };
        return allowed ? Optional.of(next) : Optional.empty();
    }

    private static RunStatus next(Event event) {
        return switch (event) {
            case Event.RunCompleted _ -> COMPLETED;
            case Event.RunFailed _ -> FAILED;
            case Event.RunCancelled _ -> CANCELLED;
            case Event.RunParked _ -> PARKED;
            case Event.RunCreated _,
                    Event.StepStarted _,
                    Event.StepCompleted _,
                    Event.StepFailed _,
                    Event.SleepStarted _,
                    Event.WaitStarted _,
                    Event.EventReceived _,
                    Event.WaitTimedOut _,
                    Event.ChildStarted _,
                    Event.ChildEnded _,
                    Event.RunResumed _,
                    Event.RunRedriven _ -> RUNNING;
        };
    }
}
