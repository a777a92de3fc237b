package io.perdure.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a test moves it, forwards or back. Safe for many threads. */
public final class VirtualClock implements InstantSource {
    private final AtomicReference<Instant> time;

    /** A clock that shows this time until it is moved. */
    public VirtualClock(Instant start) {
        time = new AtomicReference<>(start);
    }

    @Override
    public Instant instant() {
        return time.get();
    }

    /** Moves the clock; a negative duration moves it back. */
    public void move(Duration by) {
        time.updateAndGet(now -> now.plus(by));
    }
}
