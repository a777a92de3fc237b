package io.perdure.store.postgres;

import io.perdure.core.store.RunCommit.Signal;
import io.perdure.store.postgres.Column.Absent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Signals without a deduplication id, as the values of the function for one that comes alone. */
final class PlainSignals {
    private PlainSignals() {}

    static boolean isPlain(Signal signal) {
        return signal.deduplicationId() == null;
    }

    /**
     * One alone.
     *
     * @param woken who would have the run that it wakes
     */
    static List<Object> alone(Signal signal, long[] limits, @Nullable WokenRows woken) {
        List<Object> values = new ArrayList<>(List.of(
                limits,
                signal.tenant().value(),
                signal.run().value(),
                signal.event().value(),
                signal.payload().text()));
        values.addAll(woken == null ? List.of(Absent.TEXTS, Absent.ID, Absent.LONG) : woken.lease());
        return values;
    }
}
