package io.perdure.sdk.worker;

import io.perdure.sdk.history.Draft;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a run: applies whole, or not at all.
 *
 * @param seq the number that the first event is to have; the one that would be next where there are none
 * @param release set when the worker lets go of a run that goes on
 */
public record Progress(
        Held held, long seq, List<Draft> events, @Nullable Release release) {
    public Progress {
        events = List.copyOf(events);
    }

    /** Whether the worker lets go of the run with it: the run ends, is parked, or goes on later. */
    public boolean letsGo() {
        return release != null || (!events.isEmpty() && events.getLast().event().endsOrParks());
    }
}
