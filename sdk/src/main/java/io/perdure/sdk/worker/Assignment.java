package io.perdure.sdk.worker;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.WorkflowName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run that a worker is to go on with.
 *
 * @param lapses leases in a row that ran out without progress
 * @param at when it was leased, by the store's clock
 * @param deadline when the run is to be cancelled if it still goes on
 * @param history all that happened to it, {@code RunCreated} first
 * @param mailbox the signals that it has not taken, read together with the history, not before {@code at}
 */
public record Assignment(
        Held held,
        WorkflowName workflow,
        int version,
        int lapses,
        Instant at,
        @Nullable Instant deadline,
        List<Recorded> history,
        Mailbox mailbox) {
    public Assignment {
        history = List.copyOf(history);
    }

    /** How the run began. */
    public Event.RunCreated created() {
        return (Event.RunCreated) history.getFirst().event();
    }

    /** The number of the last event. */
    public long last() {
        return history.getLast().seq();
    }
}
