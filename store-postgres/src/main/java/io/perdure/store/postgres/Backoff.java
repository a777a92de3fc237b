package io.perdure.store.postgres;

import io.perdure.sdk.environment.Environment;
import java.time.Duration;

/** Delays between attempts: each twice as long as the one before, up to a bound, a random half of it. For one thread. */
final class Backoff {
    private static final Duration FIRST = Duration.ofMillis(20);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Environment environment;
    private long nanos = FIRST.toNanos();

    Backoff(Environment environment) {
        this.environment = environment;
    }

    Duration next() {
        long delay = nanos / 2 + environment.random().nextLong(nanos / 2);
        nanos = Math.min(2 * nanos, LONGEST.toNanos());
        return Duration.ofNanos(delay);
    }

    /** Whether the next delay is the first since things went well. */
    boolean isFresh() {
        return nanos == FIRST.toNanos();
    }

    void reset() {
        nanos = FIRST.toNanos();
    }
}
