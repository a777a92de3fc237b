package io.perdure.core.store;

import io.perdure.sdk.history.Event;
import org.jspecify.annotations.Nullable;

/**
 * An event on its way into a history: the store adds its number and its times.
 *
 * @param until what the store is to fix as the event's {@code until}; absent for events that have none
 */
public record Draft(Event event, @Nullable Due until) {
    public Draft {
        Bounds.event(event);
        boolean sleep = event instanceof Event.SleepStarted;
        boolean mayEnd = sleep || event instanceof Event.WaitStarted || event instanceof Event.StepFailed;
        Commit.require(until == null || mayEnd, "Only sleeps, waits and failed steps have a time to come.");
        Commit.require(!sleep || (until != null && !(until instanceof Due.Never)), "A sleep has an end.");
    }

    public Draft(Event event) {
        this(event, null);
    }
}
