package io.perdure.sdk.id;

import java.util.regex.Pattern;

/** Names an event that a run can wait for and a signal can bring. Names that start with {@code __} are Perdure's own. */
public record EventName(String value) implements Comparable<EventName> {
    private static final Pattern PATTERN = Names.pattern("[a-zA-Z0-9._-]", Names.LIMITS.eventCharacters());
    private static final String CHILD_PREFIX = "__child.";

    public EventName {
        Names.matching("event name", PATTERN, value);
    }

    /** The event that tells a parent that its child has ended. */
    public static EventName childEnded(RunId child) {
        return new EventName(CHILD_PREFIX + child);
    }

    /** Whether the name is one of Perdure's own, which callers may not signal. */
    public boolean isReserved() {
        return value.startsWith("__");
    }

    @Override
    public int compareTo(EventName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
