package io.perdure.core.store.rows;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import org.jspecify.annotations.Nullable;

/** The run's row, event by event. A run that is running has neither output nor error, so both begin empty. */
public final class Projection {
    private RunStatus status;
    private @Nullable Integer version;
    private @Nullable Json output;
    private @Nullable Failure error;
    private boolean changed;

    /** A run as it is before the first of them. */
    public Projection(RunStatus status, @Nullable Integer version) {
        this.status = status;
        this.version = version;
    }

    public RunStatus status() {
        return status;
    }

    public @Nullable Integer version() {
        return version;
    }

    public @Nullable Json output() {
        return output;
    }

    public @Nullable Failure error() {
        return error;
    }

    /** Whether an event said something about the row. */
    public boolean changed() {
        return changed;
    }

    /** The next event, which the status allows. */
    public void apply(Event event) {
        status = status.after(event).orElseThrow();
        changed |= changesRow(event);
    }

    private boolean changesRow(Event event) {
        switch (event) {
            case Event.RunCompleted(Json result) -> output = result;
            case Event.RunFailed(Failure reason) -> error = reason;
            case Event.RunParked(String reason, String detail) -> error = new Failure(reason, detail, null);
            case Event.RunCancelled(String by, String reason) ->
                error = new Failure("cancelled by " + by, reason, null);
            case Event.RunRedriven _ -> error = null;
            case Event.RunResumed resumed -> {
                error = null;
                version = resumed.version() == null ? version : resumed.version();
            }
            case Event.RunCreated _,
                    Event.StepStarted _,
                    Event.StepCompleted _,
                    Event.StepFailed _,
                    Event.SleepStarted _,
                    Event.WaitStarted _,
                    Event.EventReceived _,
                    Event.WaitTimedOut _,
                    Event.ChildStarted _,
                    Event.ChildEnded _ -> {
                return false;
            }
        }
        return true;
    }
}
