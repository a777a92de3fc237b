package io.perdure.sdk.queue;

import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A message as it stood in its queue when somebody looked, without receiving it. Times are the store's. */
public final class QueuedMessage {
    private final MessageInfo message;
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

    public QueuedMessage(MessageInfo message, State state) {
        this.message = message;
        this.state = state;
    }

    /** All that is known of it. */
    public MessageInfo info() {
        return message;
    }

    public MessageId id() {
        return message.id();
    }

    public QueueName queue() {
        return message.queue();
    }

    public Json body() {
        return message.body();
    }

    public Map<String, String> headers() {
        return message.headers();
    }

    public Optional<GroupKey> group() {
        return Optional.ofNullable(message.group());
    }

    public State state() {
        return state;
    }

    public Instant sentAt() {
        return message.sentAt();
    }

    /** When it may be delivered; while it is leased, when the lease ends. */
    public Instant readyAt() {
        return message.readyAt();
    }

    /** When it goes, unless somebody has dealt with it before. */
    public Instant expiresAt() {
        return message.expiresAt();
    }

    /** How often it was delivered since it was sent or redriven; of a dead letter, since it became one. */
    public int attempts() {
        return message.deliveries();
    }

    /** How often it was delivered before it was last redriven. */
    public int earlierAttempts() {
        return message.earlierDeliveries();
    }

    /** When it was first delivered; deliveries as a dead letter do not count. */
    public Optional<Instant> firstDelivered() {
        return Optional.ofNullable(message.firstDelivered());
    }

    /** When it was last delivered; deliveries as a dead letter do not count. */
    public Optional<Instant> lastDelivered() {
        return Optional.ofNullable(message.lastDelivered());
    }

    /** What whoever gave it back last said about why; empty where nobody did, or said nothing. */
    public Optional<String> lastError() {
        return Optional.ofNullable(message.lastError()).filter(error -> !error.isEmpty());
    }

    /** How it became a dead letter; empty where it is none. */
    public Optional<DeadLetter> deadLetter() {
        return Optional.ofNullable(message.deadLetter());
    }

    @Override
    public String toString() {
        return "QueuedMessage[id=%s, queue=%s, state=%s, attempts=%s]".formatted(id(), queue(), state, attempts());
    }
}
