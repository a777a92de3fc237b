package io.perdure.core.store;

import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.SentMessage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of one commit: it was {@link Applied}, or nothing of it was and the answer says why. (One thing is done all
 * the same: a {@link Duplicate} by workflow id binds the idempotency key.)
 */
public sealed interface Outcome {
    /** The commit was applied, whole. */
    sealed interface Applied extends Outcome {}

    /**
     * A run began.
     *
     * @param at when, by the store's clock
     * @param deadline its deadline, as the store fixed it
     */
    record Started(Instant at, @Nullable Instant deadline) implements Applied {}

    /**
     * Events were appended; none, where a worker only let go.
     *
     * @param events the events as recorded, with the times that the store fixed
     * @param status the run's status after them
     * @param sent what became of the messages that left with them
     */
    record Appended(List<Recorded> events, RunStatus status, List<SentMessage> sent) implements Applied {
        public Appended {
            events = List.copyOf(events);
            sent = List.copyOf(sent);
        }

        public Appended(List<Recorded> events, RunStatus status) {
            this(events, status, List.of());
        }
    }

    /**
     * A signal lies in the mailbox, or did already.
     *
     * @param number its number there
     * @param created whether this commit put it there; false for a repeated deduplication id
     */
    record Signalled(long number, boolean created) implements Applied {}

    /** Messages were put into their queues; answers in the order they were given. */
    record Sent(List<SentMessage> messages) implements Applied {
        public Sent {
            messages = List.copyOf(messages);
        }
    }

    /**
     * A message was settled.
     *
     * @param sent what became of the messages that left with it
     */
    record Settled(Fate fate, List<SentMessage> sent) implements Applied {
        public Settled {
            sent = List.copyOf(sent);
        }

        public Settled(Fate fate) {
            this(fate, List.of());
        }
    }

    /** Queues or messages were changed; how many. Nought where everything was already as asked. */
    record Changed(int count) implements Applied {}

    /** Someone else appended first, or the run id is in use. */
    record Conflict(long last) implements Outcome {}

    /**
     * The lease has gone to someone else, or its message has gone.
     *
     * @param status the run's status, so that a worker learns of a cancel; absent for messages of users
     */
    record LeaseLost(@Nullable RunStatus status) implements Outcome {}

    /** A key of the start already belongs to this run. */
    record Duplicate(RunId winner, RunStatus status, Key key) implements Outcome {}

    /** Which key of a start was taken. */
    enum Key {
        IDEMPOTENCY_KEY,
        WORKFLOW_ID
    }

    /** The run was woken since the worker looked: it must look again before it lets go. */
    record Woken(long wakes) implements Outcome {}

    /**
     * The state does not allow it.
     *
     * @param detail what, with its ids, in one sentence
     */
    record Refused(Refusal why, String detail) implements Outcome {}
}
