package io.perdure.core.workflow;

import io.perdure.core.store.Store;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Tells what the store's clock shows, asking the store only once in a while. */
final class StoreClock {
    private static final Duration ASK_EVERY = Duration.ofSeconds(10);

    /** What is due by a reading older than this may not be due any more: the store's clock can have stepped back. */
    private static final Duration DOUBTED = Duration.ofSeconds(1);

    private final Store store;
    private final Environment environment;
    private volatile @Nullable Reading reading;

    /** What the store's clock showed, at some moment between two of ours. */
    private record Reading(Instant time, long beforeNanos, long afterNanos) {
        Instant atLeast(long nanos) {
            return time.plusNanos(nanos - afterNanos);
        }

        Instant about(long nanos) {
            return time.plusNanos(nanos - beforeNanos - (afterNanos - beforeNanos) / 2);
        }
    }

    StoreClock(Store store, Environment environment) {
        this.store = store;
        this.environment = environment;
    }

    /** The least that the store's clock showed at a moment of ours, also where asking it was held up since. */
    Instant atLeast(long nanos) {
        return fresh().atLeast(nanos);
    }

    /** How long it is until a time of the store's clock: at least a moment, so that nobody asks in a circle. */
    Duration until(Instant time) {
        Reading known = fresh();
        Duration left = left(known, time);
        if (!left.isPositive() && environment.nanoTime() - known.afterNanos > DOUBTED.toNanos()) {
            left = left(ask(), time);
        }
        return left.isPositive() ? left : Duration.ofNanos(100_000);
    }

    private Duration left(Reading known, Instant time) {
        return Duration.between(known.about(environment.nanoTime()), time);
    }

    private Reading fresh() {
        Reading known = reading;
        return known == null || environment.nanoTime() - known.afterNanos > ASK_EVERY.toNanos() ? ask() : known;
    }

    private Reading ask() {
        long before = environment.nanoTime();
        Instant time = store.now();
        Reading asked = new Reading(time, before, environment.nanoTime());
        reading = asked;
        return asked;
    }
}
