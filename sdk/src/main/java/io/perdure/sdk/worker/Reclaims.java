package io.perdure.sdk.worker;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Puts off taking over runs whose lease ran out. All workers learn the same time at which a lease is to end; each lets a random
 * while go by after it before it takes what lapsed, so that they do not all come for the same runs at once. Timers are not
 * concerned: what nobody holds is claimed on time.
 *
 * <p>Used by one thread. Times are nanoseconds of the environment.
 */
final class Reclaims {
    /** The longest that a lapsed run is left alone for it. */
    static final Duration SPREAD = Duration.ofSeconds(1);

    private final RandomGenerator random;
    private @Nullable Pause pause;

    /** From when something may have lapsed until it may be taken. */
    private record Pause(long from, long until) {
        boolean includes(long now) {
            return now - from >= 0 && now - until < 0;
        }
    }

    Reclaims(RandomGenerator random) {
        this.random = random;
    }

    /** Something becomes due by itself after so long: a timer, or a run whose lease ends then. */
    void dueIn(Duration delay, long now) {
        if (pause == null || !pause.includes(now)) {
            long from = now + delay.toNanos();
            pause = new Pause(from, from + random.nextLong(SPREAD.toNanos()));
        }
    }

    /** How long lapsed runs are to be left alone from now on; null where they may be taken. */
    @Nullable
    Duration left(long now) {
        return pause == null || !pause.includes(now) ? null : Duration.ofNanos(pause.until() - now);
    }
}
