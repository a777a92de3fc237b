package io.perdure.sdk.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.EventName;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a worker lets go of a run that goes on. The count of lapsed leases starts anew, unless the run is given back as it was claimed: without a new
 * event since the claim, and waiting for none.
 *
 * @param ready when the run becomes due again; the run's deadline, if it is earlier
 * @param wakeOn the events that make it due at once; empty for a sleep, a retry or a yield
 * @param wakes the wakes the worker saw. Where it waits for events and the run has had another since, nothing is applied
 *     and the worker must look again, so that no wake-up falls between looking and letting go
 */
public record Release(Due ready, Set<EventName> wakeOn, long wakes) {
    private static final int MOST_EVENTS = Limits.defaults().runs().wakeOn();

    public Release {
        // In one order in every process, so that the trace of one seed is always the same.
        wakeOn = wakeOn.isEmpty() ? Set.of() : Collections.unmodifiableSet(new TreeSet<>(wakeOn));
        if (wakeOn.size() > MOST_EVENTS) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS,
                    "The number of events to wake on is " + wakeOn.size() + "; it must lie between 0 and " + MOST_EVENTS
                            + ".");
        }
        if (ready instanceof Due.Never && wakeOn.isEmpty()) {
            throw new InvalidValueException(ErrorCode.MALFORMED_COMMIT, "A run is let go until a time or an event.");
        }
    }

    /** Lets go until then, whatever signals come. */
    public static Release until(Due ready) {
        return new Release(ready, Set.of(), 0);
    }
}
