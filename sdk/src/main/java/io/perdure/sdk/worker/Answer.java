package io.perdure.sdk.worker;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Recorded;
import java.util.List;

/** What became of a {@link Progress}. */
public sealed interface Answer {
    /** It was applied; the events as recorded, with the times that the store fixed. */
    record Kept(List<Recorded> events) implements Answer {
        public Kept {
            events = List.copyOf(events);
        }
    }

    /** Nothing was applied: the run is somebody else's by now, or was ended from outside. */
    record Lost(String why) implements Answer {}

    /** Nothing was applied: the run was signalled since its mailbox was read, which is to be read anew before it is let go of. */
    record Woken() implements Answer {}

    /** Nothing was applied: the store does not take it, and the worker still holds the run. */
    record Refused(ErrorCode code, String what) implements Answer {}
}
