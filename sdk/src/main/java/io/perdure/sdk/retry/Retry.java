package io.perdure.sdk.retry;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StepLimits;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a step is tried: how often, how long it rests in between, how long one attempt may take, which errors end it at once,
 * and on whose threads it runs.
 *
 * @param attempts how often it runs at most, the first time included
 * @param backoff the delay between two attempts
 * @param timeout how long one attempt may take before it is interrupted; it has failed if it then throws, and is done if it
 *     returns all the same. Absent where it may take for ever
 * @param fatal errors that trying again does not mend, their subclasses included
 * @param executor runs the attempts; absent where they run on the virtual thread of the run
 */
public record Retry(
        int attempts,
        Backoff backoff,
        @Nullable Duration timeout,
        List<Class<? extends Throwable>> fatal,
        @Nullable Executor executor) {
    private static final StepLimits LIMITS = Limits.defaults().steps();
    private static final Retry DEFAULTS = exponential(LIMITS.attempts(), LIMITS.backoffBase());

    public Retry {
        fatal = List.copyOf(fatal);
        if (attempts < 1) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS, "Retry attempts " + attempts + " must be at least 1.");
        }
        if (timeout != null && !timeout.isPositive()) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS, "Retry timeout %s must be more than 0.".formatted(timeout));
        }
    }

    /** A policy whose attempts run on the virtual thread of the run. */
    public Retry(int attempts, Backoff backoff, @Nullable Duration timeout, List<Class<? extends Throwable>> fatal) {
        this(attempts, backoff, timeout, fatal, null);
    }

    public Retry(int attempts, Backoff backoff) {
        this(attempts, backoff, null, List.of());
    }

    /** Three attempts, 1 s doubling to at most 60 s, 20 % jitter. */
    public static Retry defaults() {
        return DEFAULTS;
    }

    /** One attempt: the first failure is the last. */
    public static Retry never() {
        return new Retry(1, Backoff.fixed(Duration.ZERO));
    }

    /** So many attempts, always with the same delay between them. */
    public static Retry fixed(int attempts, Duration delay) {
        return new Retry(attempts, Backoff.fixed(delay));
    }

    /** So many attempts with a delay that grows by {@code base} each time to the default maximum, with the default jitter. */
    public static Retry linear(int attempts, Duration base) {
        return new Retry(attempts, Backoff.linear(base, most(base)).withJitter(LIMITS.backoffJitter()));
    }

    /** So many attempts with a delay that doubles from {@code base} to the default maximum, with the default jitter. */
    public static Retry exponential(int attempts, Duration base) {
        return new Retry(attempts, Backoff.exponential(base, most(base)).withJitter(LIMITS.backoffJitter()));
    }

    private static Duration most(Duration base) {
        return base.compareTo(LIMITS.backoffMax()) > 0 ? base : LIMITS.backoffMax();
    }

    /** The same, where an attempt is interrupted after so long. The next one does not begin before it has ended. */
    public Retry timeout(Duration perAttempt) {
        return new Retry(attempts, backoff, perAttempt, fatal, executor);
    }

    /**
     * Returns a policy whose attempts run on the given executor, for steps that compute. Virtual threads share one carrier per core, and a
     * step that computes keeps its carrier until it returns; a pool of your own, of at most as many threads as there are cores, leaves the
     * carriers to steps that wait. While the pool is busy the step waits for its turn, its run keeps its place in the worker, and its
     * timeout does not run yet. If the executor rejects the step, the run is released and tries again after 1 s. So it is if the executor
     * is an {@link java.util.concurrent.ExecutorService} that is shut down while the step waits. Any other executor must run or reject each
     * task: a run whose task it drops keeps its lease. Perdure does not close the executor; close the engine first.
     *
     * @param threads runs the attempts, one task each
     */
    public Retry executor(Executor threads) {
        return new Retry(attempts, backoff, timeout, fatal, Objects.requireNonNull(threads, "threads"));
    }

    /** The same, where such an error is the last: trying again would not mend it. */
    public Retry notOn(Class<? extends Throwable> error) {
        return new Retry(
                attempts,
                backoff,
                timeout,
                Stream.concat(fatal.stream(), Stream.of(error)).toList(),
                executor);
    }

    /** Whether trying again may mend this error. */
    public boolean mayMend(Throwable error) {
        return fatal.stream().noneMatch(type -> type.isInstance(error));
    }

    /** The delay before the next attempt after so many failures; empty where there is none. */
    public Optional<Duration> after(int failures, RandomGenerator random) {
        return failures < attempts ? Optional.of(backoff.after(failures, random)) : Optional.empty();
    }
}
