package io.perdure.store.postgres;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Tries calls again that failed for a reason that passes: a connection lost, a server that restarts, a deadlock. Twice as long
 * from one attempt to the next, a random half of it, until patience is over; then the last error is thrown.
 */
final class Patience {
    private static final Duration FIRST_DELAY = Duration.ofMillis(10);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

    private final Environment environment;
    private final Duration length;

    Patience(Environment environment, Duration length) {
        this.environment = environment;
        this.length = length;
    }

    /** For what may be done twice. */
    <T> T with(Supplier<T> call) {
        return with(call, e -> e.code() == ErrorCode.OUTCOME_UNKNOWN || isBusy(e) || isUnreachable(e));
    }

    /** For what must not, such as a batch: only after an error that says that nothing was done. */
    <T> T ifNothingHappened(Supplier<T> call) {
        return with(call, Patience::isBusy);
    }

    private <T> T with(Supplier<T> call, Predicate<StoreException> passes) {
        long began = environment.nanoTime();
        long delay = FIRST_DELAY.toNanos();
        while (true) {
            try {
                return call.get();
            } catch (StoreException e) {
                long left = length.toNanos() - (environment.nanoTime() - began);
                if (!passes.test(e) || left <= 0 || !pause(Math.min(left, half(delay)))) {
                    throw e;
                }
            }
            delay = Math.min(2 * delay, LONGEST_DELAY.toNanos());
        }
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
