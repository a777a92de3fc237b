package io.perdure.server.worker;

import io.perdure.sdk.environment.SystemEnvironment;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what is to come, for longer than anything takes on the slowest machine. */
public final class Waiting {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();

    private Waiting() {}

    /** Looks again and again until it holds, with a pause after each look. */
    public static void until(BooleanSupplier holds) throws InterruptedException {
        long deadline = ENVIRONMENT.nanoTime() + PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            if (ENVIRONMENT.nanoTime() > deadline) {
                throw new AssertionError("it does not come to hold");
            }
            pause(Duration.ofMillis(5));
        }
    }

    static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("nobody came");
        }
    }

    /** For what is to go on for a while, such as a fault. */
    static void pause(Duration length) throws InterruptedException {
        ENVIRONMENT.sleep(length);
    }
}
