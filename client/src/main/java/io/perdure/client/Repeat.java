package io.perdure.client;

import java.time.Duration;

/**
 * Whether a request that was not answered may be sent again: only where doing it twice is the same as once.
 *
 * @param patience for how long, from the first try on; nought where it may not
 */
record Repeat(Duration patience) {
    /** Sent once: what became of it is for the caller to find out. */
    static final Repeat NEVER = new Repeat(Duration.ZERO);

    static Repeat within(Duration patience) {
        return new Repeat(patience);
    }

    boolean isAllowed() {
        return patience.isPositive();
    }
}
