package io.perdure.sdk.run;

import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Where a {@link Run} is asked for: the engine of this process, or a server. Safe for many threads. */
public interface RunSource {
    /** Waits for a run's result, see {@link Run#result} and {@link Run#resultAcrossParking}. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // Its type is the parameter.
    <T> T result(RunId run, Type type, Duration atMost, WhenParked whenParked);

    /** Where a run stands now; {@code PD-301} where there is none. */
    RunInfo info(RunId run);

    /**
     * Some of what has happened to a run, from the event of this number on: as much as comes at once. No events if none come after that number;
     * {@code PD-301} if there is no such run.
     */
    HistoryPart part(RunId run, long from);

    /** The events of a run from the given number on; {@code PD-301} if there is no such run, {@code PD-106} if it is too large for the heap. */
    default List<Recorded> history(RunId run, long from) {
        List<Recorded> all = new ArrayList<>();
        HeapShare share = new HeapShare(run);
        for (HistoryPart part = part(run, from); !part.events().isEmpty(); part = part(run, part.next())) {
            share.take(part.bytes());
            all.addAll(part.events());
            if (part.isLast()) {
                break;
            }
        }
        return List.copyOf(all);
    }

    /** Follows a run from the event of this number on; {@code PD-301} where there is none. */
    Following follow(RunId run, long from);
}
