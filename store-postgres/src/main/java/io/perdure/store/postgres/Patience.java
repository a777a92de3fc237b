package io.perdure.store.postgres;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tries calls again that failed for a reason that passes: a connection lost, a server that restarts, a deadlock. Twice as long
 * from one attempt to the next, a random half of it, until patience is over; then the last error is thrown.
 */
final class Patience {
    private static final Duration FIRST_DELAY = Duration.ofMillis(10);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

    private final Environment environment;
    private final Duration length;
    private volatile @Nullable Long endsAt;

    Patience(Environment environment, Duration length) {
        this.environment = environment;
        this.length = length;
    }

    /** For what may be done twice. */
    <T> T with(Supplier<T> call) {
        return within(_ -> call.get());
    }

    /**
     * For what may be done twice and waits for others.
     *
     * @param call is given what is left of the patience, for which it may wait in line: a caller that left the line and joined it again
     *     would have lost its place
     */
    <T> T within(Function<Duration, T> call) {
        return with(call, e -> e.code() == ErrorCode.OUTCOME_UNKNOWN || isBusy(e) || isUnreachable(e));
    }

    /** For what must not, such as a batch: only after an error that says that nothing was done. */
    <T> T ifNothingHappened(Supplier<T> call) {
        return with(_ -> call.get(), Patience::isBusy);
    }

    /** From now on no call is tried again after the given time, however patient it was to be. */
    void endWithin(Duration time) {
        endsAt = environment.nanoTime() + time.toNanos();
    }

    private <T> T with(Function<Duration, T> call, Predicate<StoreException> passes) {
        long began = environment.nanoTime();
        long delay = FIRST_DELAY.toNanos();
        while (true) {
            try {
                return call.apply(Duration.ofNanos(Math.max(0, left(began))));
            } catch (StoreException e) {
                long left = left(began);
                if (!passes.test(e) || left <= 0 || !pause(Math.min(left, half(delay)))) {
                    throw e;
                }
            }
            delay = Math.min(2 * delay, LONGEST_DELAY.toNanos());
        }
    }

    private long left(long began) {
        long now = environment.nanoTime();
        long left = length.toNanos() - (now - began);
        Long ends = endsAt;
        return ends == null ? left : Math.min(left, ends - now);
    }

    private long half(long delay) {
        return delay / 2 + environment.random().nextLong(delay / 2);
    }

    private static boolean isBusy(StoreException e) {
        return e.code() == ErrorCode.STORE_BUSY;
    }

    private static boolean isUnreachable(StoreException e) {
        return e.code() == ErrorCode.STORE_UNREACHABLE;
    }

    /** Whether there was a pause: who is interrupted wants no more attempts. */
    private boolean pause(long nanos) {
        try {
            environment.sleep(Duration.ofNanos(nanos));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
