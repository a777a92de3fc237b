package io.perdure.sdk.id;

import java.util.UUID;

/** Names one message: a UUIDv7 made by its sender. The message of a run bears the run's own id. */
public record MessageId(UUID value) implements Comparable<MessageId> {
    /** Reads the form that {@link #toString} prints; anything else is {@code PD-006}. */
    public static MessageId parse(String text) {
        return new MessageId(Names.uuid("message id", text));
    }

    /** The id of the one message that wakes a run. */
    public static MessageId of(RunId run) {
        return new MessageId(run.value());
    }

    @Override
    public int compareTo(MessageId other) {
        return Names.compare(value, other.value);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
