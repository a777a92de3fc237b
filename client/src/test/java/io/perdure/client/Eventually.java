package io.perdure.client;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread does. */
final class Eventually {
    private static final Duration AT_MOST = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(5);

    private Eventually() {}

    static void holds(BooleanSupplier what) {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (!what.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("It did not come to hold within " + AT_MOST + ".");
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }
}
