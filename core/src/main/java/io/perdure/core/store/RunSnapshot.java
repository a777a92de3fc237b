package io.perdure.core.store;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything a worker needs to go on with a run, as it was at one moment.
 *
 * @param history all events, {@code RunCreated} first
 * @param mailbox the signals not yet taken, in the order they came
 * @param message the message that wakes it; a running run has one, any other has none
 */
public record RunSnapshot(
        RunRow run,
        List<Recorded> history,
        List<MailboxEntry> mailbox,
        @Nullable RunMessage message) {
    public RunSnapshot {
        history = List.copyOf(history);
        mailbox = List.copyOf(mailbox);
    }

    /** The number of the last event. */
    public long last() {
        return history.getLast().seq();
    }

    /**
     * A signal that waits to be taken.
     *
     * @param number the wakes that it raised the run to: unique and rising within the run
     */
    public record MailboxEntry(long number, EventName event, Json payload, Instant at) {}

    /**
     * The one message of a running run.
     *
     * @param queue the queue of its workflow and version
     * @param readyAt when it may be claimed, or {@link Due#FAR_FUTURE}; while it is leased, when the lease ends
     * @param leased whether a worker holds a lease that has not run out
     * @param wakeOn the events that make it due at once
     */
    public record RunMessage(QueueName queue, Instant readyAt, boolean leased, Set<EventName> wakeOn) {
        public RunMessage {
            wakeOn = Ordered.copy(wakeOn);
        }
    }
}
