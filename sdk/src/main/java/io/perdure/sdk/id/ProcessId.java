package io.perdure.sdk.id;

import java.util.UUID;

/** Names one process that writes to a store, from its start to its end. */
public record ProcessId(UUID value) implements Comparable<ProcessId> {
    /** Reads the form that {@link #toString} prints; anything else is {@code PD-006}. */
    public static ProcessId parse(String text) {
        return new ProcessId(Names.uuid("process id", text));
    }

    @Override
    public int compareTo(ProcessId other) {
        return Names.compare(value, other.value);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
