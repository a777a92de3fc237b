package io.perdure.core.store;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.ForwardingEnvironment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** An environment of real threads whose time is the sum of what was slept: each sleep is over at once. */
final class CountedTime implements ForwardingEnvironment {
    private final Environment real = new SystemEnvironment();
    private final AtomicLong nanos = new AtomicLong();

    /** Whether no further thread can be started. */
    volatile boolean refused;

    @Override
    public Environment real() {
        return real;
    }

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public void sleep(Duration atMost) {
        nanos.addAndGet(atMost.toNanos());
    }

    @Override
    public Thread startApart(String name, Runnable task) {
        if (refused) {
            throw new OutOfMemoryError("No more threads.");
        }
        return real.startApart(name, task);
    }
}
