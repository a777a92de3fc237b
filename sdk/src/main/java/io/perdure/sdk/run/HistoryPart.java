package io.perdure.sdk.run;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import java.util.List;

/**
 * Some of a run's history.
 *
 * @param bytes how large the events are, roughly
 * @param isLast whether no event follows: the run has ended
 */
public record HistoryPart(List<Recorded> events, long bytes, boolean isLast) {
    public HistoryPart {
        events = List.copyOf(events);
    }

    /** A part that is the last one if its last event ends a run for good: a failed run may be redriven. */
    public HistoryPart(List<Recorded> events, long bytes) {
        this(events, bytes, endsForGood(events));
    }

    /** The number of the event to ask for next; for a part that is not empty. */
    public long next() {
        return events.getLast().seq() + 1;
    }

    private static boolean endsForGood(List<Recorded> events) {
        return !events.isEmpty()
                && (events.getLast().event() instanceof Event.RunCompleted
                        || events.getLast().event() instanceof Event.RunCancelled);
    }
}
