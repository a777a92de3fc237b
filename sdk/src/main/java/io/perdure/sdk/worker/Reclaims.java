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
    private boolean heldBack;

    /** From when something may have lapsed until it may be taken. */
    private record Pause(long from, long until) {
        boolean includes(long now) {
            return now - from >= 0 && now - until < 0;
        }
    }

    Reclaims(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Something becomes due by itself after so long: a timer, or a run whose lease ends then. A pause that the claim before was
     * held back by stays, though it may be over by now: what lapsed is to be taken first.
     */
    void dueIn(Duration delay, long now) {
        if (!heldBack) {
            long from = now + delay.toNanos();
            pause = new Pause(from, from + random.nextLong(SPREAD.toNanos()));
        }
    }

    /** How long a claim that begins now is to leave lapsed runs alone; null where it may take them. */
    @Nullable
    Duration left(long now) {
        heldBack = pause != null && pause.includes(now);
        return pause == null || !heldBack ? null : Duration.ofNanos(pause.until() - now);
    }
}
