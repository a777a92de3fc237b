package io.perdure.core.store;

import io.perdure.sdk.environment.Environment;
import java.time.Duration;

/** The pauses between attempts at one call of the store: twice as long from one to the next, a random half of it. For one thread of the engine's own. */
final class RetryDelays {
    private static final Duration FIRST_DELAY = Duration.ofMillis(10);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

    private final Environment environment;
    private long delayNanos = FIRST_DELAY.toNanos();

    RetryDelays(Environment environment) {
        this.environment = environment;
    }

    /**
     * Waits for the time of the next attempt. Returns false, at once, if no time is left.
     *
     * @param leftNanos how long may be waited at most, in nanoseconds
     */
    boolean pause(long leftNanos) {
        if (leftNanos <= 0) {
            return false;
        }
        long half = delayNanos / 2;
        long nanos = Math.min(leftNanos, half + environment.random().nextLong(half));
        delayNanos = Math.min(2 * delayNanos, LONGEST_DELAY.toNanos());
        try {
            environment.sleep(Duration.ofNanos(nanos));
        } catch (InterruptedException _) {
            // The thread is the engine's own and ends when nothing is left to try; an early attempt does no harm.
            return true;
        }
        return true;
    }
}
