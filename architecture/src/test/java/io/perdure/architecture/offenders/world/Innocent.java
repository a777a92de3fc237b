package io.perdure.architecture.offenders.world;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Near to everything that is forbidden, yet all of it was passed in or is plain arithmetic. */
public final class Innocent {
    private final Queue<String> queue = new ArrayDeque<>();

    Instant given(InstantSource source) {
        return source.instant();
    }

    Instant ofGivenClock(Clock clock) {
        return Instant.now(clock);
    }

    long drawn(RandomGenerator random) {
        return random.nextLong();
    }

    Random seeded(long seed) {
        return new Random(seed);
    }

    void shuffledBySeed(List<String> values, Random random) {
        Collections.shuffle(values, random);
    }

    UUID named(byte[] name) {
        return UUID.nameUUIDFromBytes(name);
    }

    long converted(Duration duration) {
        return TimeUnit.MILLISECONDS.convert(5, TimeUnit.SECONDS) + TimeUnit.SECONDS.convert(duration);
    }

    CompletableFuture<Void> onGivenExecutor(Runnable task, Executor executor) {
        return CompletableFuture.runAsync(task, executor);
    }

    Object polled() {
        return String.valueOf(queue.poll());
    }

    boolean untimed(Semaphore semaphore) {
        return semaphore.tryAcquire();
    }

    void joined(Thread thread) throws InterruptedException {
        thread.join();
    }
}
