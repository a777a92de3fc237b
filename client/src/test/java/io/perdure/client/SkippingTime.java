package io.perdure.client;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.Ids;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** The real world, where nobody waits: each wait is over at once, and the clock has gone on by as much. */
final class SkippingTime implements Environment {
    private final Environment real = new SystemEnvironment();
    private final AtomicLong skipped = new AtomicLong();
    private final Queue<Duration> waits = new ConcurrentLinkedQueue<>();

    /** What was waited for, each wait with its length. */
    List<Duration> waits() {
        return List.copyOf(waits);
    }

    /** Lets so much time pass. */
    void skip(Duration length) {
        skipped.addAndGet(length.toNanos());
    }

    @Override
    public InstantSource clock() {
        return real.clock();
    }

    @Override
    public long nanoTime() {
        return real.nanoTime() + skipped.get();
    }

    @Override
    public RandomGenerator random() {
        return real.random();
    }

    @Override
    public Ids ids() {
        return real.ids();
    }

    @Override
    public Thread start(String name, Runnable task) {
        return real.start(name, task);
    }

    @Override
    public Thread startApart(String name, Runnable task) {
        return real.startApart(name, task);
    }

    @Override
    public Bell bell() {
        return new Bell() {
            @Override
            public void ring() {
                // Nobody waits here.
            }

            @Override
            public boolean await(Duration atMost) {
                waits.add(atMost);
                skipped.addAndGet(atMost.toNanos());
                return false;
            }
        };
    }
}
