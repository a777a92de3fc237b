package io.perdure.sdk.history;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import org.jspecify.annotations.Nullable;

/**
 * An event on its way into a history: the store adds its number and its times. Values that are too large to be kept are
 * {@code PD-003} here, before they travel.
 *
 * @param until what the store is to fix as the event's {@code until}; absent for events that have none
 */
public record Draft(Event event, @Nullable Due until) {
    public Draft {
        Inline.event(event);
        boolean sleep = event instanceof Event.SleepStarted;
        boolean step = event instanceof Event.StepStarted || event instanceof Event.StepFailed;
        boolean mayEnd = sleep || step || event instanceof Event.WaitStarted;
        require(until == null || mayEnd, "Only sleeps, waits, steps that begin and failed steps have a time to come.");
        require(!sleep || (until != null && !(until instanceof Due.Never)), "A sleep has an end.");
    }

    public Draft(Event event) {
        this(event, null);
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new InvalidValueException(ErrorCode.MALFORMED_COMMIT, rule);
        }
    }
}
