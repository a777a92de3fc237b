package io.perdure.core.workflow;

import io.perdure.core.store.Store;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Tells how long it is until a time of the store's clock, asking the store only once in a while. */
final class StoreClock {
    private static final Duration ASK_EVERY = Duration.ofSeconds(10);

    private final Store store;
    private final Environment environment;
    private volatile @Nullable Reading reading;

    /** What the store's clock showed, and when that was by ours. */
    private record Reading(Instant time, long nanos) {}

    StoreClock(Store store, Environment environment) {
        this.store = store;
        this.environment = environment;
    }

    /** The store's time, as far as can be told without asking. */
    Instant now() {
        long nanos = environment.nanoTime();
        Reading known = fresh(nanos);
        return known.time.plusNanos(environment.nanoTime() - known.nanos);
    }

    /** At least a moment, so that nobody asks in a circle. */
    Duration until(Instant time) {
        Duration left = Duration.between(now(), time);
        return left.isPositive() ? left : Duration.ofNanos(100_000);
    }

    private Reading fresh(long nanos) {
        Reading known = reading;
        return known == null || nanos - known.nanos > ASK_EVERY.toNanos() ? ask() : known;
    }

    private Reading ask() {
        long before = environment.nanoTime();
        Instant time = store.now();
        // Read about in the middle of the question.
        Reading asked = new Reading(time, before + (environment.nanoTime() - before) / 2);
        reading = asked;
        return asked;
    }
}
