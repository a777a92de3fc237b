package io.perdure.sdk.retry;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How often a step is tried, and how long it rests in between.
 *
 * @param attempts how often it runs at most, the first time included
 * @param backoff the delay between two attempts
 */
public record Retry(int attempts, Backoff backoff) {
    private static final Limits.Runs LIMITS = Limits.defaults().runs();
    private static final Retry DEFAULTS = exponential(LIMITS.stepAttempts(), LIMITS.stepBackoffBase());

    public Retry {
        if (attempts < 1) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS, "Retry attempts " + attempts + " must be at least 1.");
        }
    }

    /** Three attempts, 1 s doubling to at most 60 s, 20 % jitter. */
    public static Retry defaults() {
        return DEFAULTS;
    }

    /** One attempt: the first failure is the last. */
    public static Retry never() {
        return new Retry(1, Backoff.fixed(Duration.ZERO));
    }

    /** So many attempts with a delay that doubles from {@code base} to the default maximum, with the default jitter. */
    public static Retry exponential(int attempts, Duration base) {
        Duration max = base.compareTo(LIMITS.stepBackoffMax()) > 0 ? base : LIMITS.stepBackoffMax();
        return new Retry(attempts, Backoff.exponential(base, max).withJitter(LIMITS.stepBackoffJitter()));
    }

    /** The delay before the next attempt after so many failures; empty where there is none. */
    public Optional<Duration> after(int failures, RandomGenerator random) {
        return failures < attempts ? Optional.of(backoff.after(failures, random)) : Optional.empty();
    }
}
