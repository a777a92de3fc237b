package io.perdure.core.queue;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.MessageRow.DeadLetter;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A message as it stood in its queue when somebody looked, without receiving it. Times are the store's. */
public final class QueuedMessage {
    private final MessageRow row;
    private final State state;

    /** How a message waits. */
    public enum State {
        /** Due: delivered when its turn comes, which is after those of its group that are before it. */
        READY,
        /** Not due yet: it was sent or given back with a delay that still lasts. */
        DELAYED,
        /** With a receiver. */
        LEASED
    }

    QueuedMessage(MessageRow row, Instant now) {
        this.row = row;
        this.state = state(row, now);
    }

    /** As the figures count it: what was sent without a delay is never delayed, wherever the clock has gone since. */
    private static State state(MessageRow row, Instant now) {
        if (row.leased()) {
            return State.LEASED;
        }
        return row.readyAt().isAfter(now) && !row.readyAt().equals(row.sentAt()) ? State.DELAYED : State.READY;
    }

    public MessageId id() {
        return row.id();
    }

    public QueueName queue() {
        return row.queue();
    }

    public Json body() {
        return row.body();
    }

    public Map<String, String> headers() {
        return row.headers();
    }

    public Optional<GroupKey> group() {
        return Optional.ofNullable(row.group());
    }

    public State state() {
        return state;
    }

    public Instant sentAt() {
        return row.sentAt();
    }

    /** When it may be delivered; while it is leased, when the lease ends. */
    public Instant readyAt() {
        return row.readyAt();
    }

    /** When it goes, unless somebody has dealt with it before. */
    public Instant expiresAt() {
        return row.expiresAt();
    }

    /** How often it was delivered since it was sent or redriven; of a dead letter, since it became one. */
    public int attempts() {
        return row.deliveries();
    }

    /** How often it was delivered before it was last redriven. */
    public int earlierAttempts() {
        return row.earlierDeliveries();
    }

    /** When it was first delivered; deliveries as a dead letter do not count. */
    public Optional<Instant> firstDelivered() {
        return Optional.ofNullable(row.firstDelivered());
    }

    /** When it was last delivered; deliveries as a dead letter do not count. */
    public Optional<Instant> lastDelivered() {
        return Optional.ofNullable(row.lastDelivered());
    }

    /** What whoever gave it back last said about why; empty where nobody did, or said nothing. */
    public Optional<String> lastError() {
        return Optional.ofNullable(row.lastError()).filter(error -> !error.isEmpty());
    }

    /** How it became a dead letter; empty where it is none. */
    public Optional<DeadLetter> deadLetter() {
        return Optional.ofNullable(row.deadLetter());
    }

    @Override
    public String toString() {
        return "QueuedMessage[id=%s, queue=%s, state=%s, attempts=%s]".formatted(id(), queue(), state, attempts());
    }
}
