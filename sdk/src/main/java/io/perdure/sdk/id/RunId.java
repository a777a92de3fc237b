package io.perdure.sdk.id;

import java.util.UUID;

/** Names one run of a workflow: a UUIDv7 made by whoever starts it. */
public record RunId(UUID value) implements Comparable<RunId> {
    /** Reads the form that {@link #toString} prints; anything else is {@code PD-006}. */
    public static RunId parse(String text) {
        return new RunId(Names.uuid("run id", text));
    }

    @Override
    public int compareTo(RunId other) {
        return Names.compare(value, other.value);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
