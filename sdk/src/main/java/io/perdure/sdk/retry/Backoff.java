package io.perdure.sdk.retry;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The delay before the next attempt.
 *
 * @param kind how the delay grows with each failure
 * @param base the delay after the first failure
 * @param max what no delay goes beyond, its random part included
 * @param jitter the share of the delay, 0 to 1, by which it may randomly differ either way
 */
public record Backoff(Kind kind, Duration base, Duration max, double jitter) {
    /** How the delay grows. */
    public enum Kind {
        /** Always the base. */
        FIXED,
        /** The base times the number of failures. */
        LINEAR,
        /** The base, doubled with each further failure. */
        EXPONENTIAL
    }

    public Backoff {
        if (base.isNegative() || base.compareTo(max) > 0) {
            throw outOfBounds("base %s must lie between 0 and max %s".formatted(base, max));
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw outOfBounds("jitter %s must lie between 0 and 1".formatted(jitter));
        }
    }

    public static Backoff fixed(Duration delay) {
        return new Backoff(Kind.FIXED, delay, delay, 0);
    }

    public static Backoff linear(Duration base, Duration max) {
        return new Backoff(Kind.LINEAR, base, max, 0);
    }

    public static Backoff exponential(Duration base, Duration max) {
        return new Backoff(Kind.EXPONENTIAL, base, max, 0);
    }

    public Backoff withJitter(double share) {
        return new Backoff(kind, base, max, share);
    }

    /** The delay after so many failures (1 or more). Never negative, never over {@link #max}. */
    public Duration after(int failures, RandomGenerator random) {
        if (failures < 1) {
            throw outOfBounds("failures " + failures + " must be at least 1");
        }
        double factor = switch (kind) {
            case FIXED -> 1;
            case LINEAR -> failures;
            // 2^1023 is the largest power of two a double holds; max cuts it long before.
            case EXPONENTIAL -> Math.pow(2, Math.min(failures - 1, 1023));
        };
        double spread = jitter == 0 ? 1 : 1 + jitter * (2 * random.nextDouble() - 1);
        // Converted, not toMillis(): centuries must not overflow.
        long most = TimeUnit.MILLISECONDS.convert(max);
        double millis = Math.min((double) TimeUnit.MILLISECONDS.convert(base) * factor, (double) most) * spread;
        return Duration.ofMillis(Math.min(Math.round(millis), most));
    }

    private static InvalidValueException outOfBounds(String what) {
        return new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, "Backoff " + what + ".");
    }
}
