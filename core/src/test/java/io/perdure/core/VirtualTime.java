package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.Ids;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An environment of real threads in a time that stands still until a test moves it: who waits is woken by a ring or not at
 * all, so that a wake-up that got lost is seen.
 */
final class VirtualTime implements Environment {
    /** How long a test waits for threads before it fails, in the real world. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** How no name begins. */
    private static final String NOBODY = "/";

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<VirtualBell> bells = ConcurrentHashMap.newKeySet();
    private final AtomicLong nanos = new AtomicLong();
    private final Random random = new Random(42);
    private final Ids ids = new Ids(clock(), random);
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final CountDownLatch letGo = new CountDownLatch(1);
    private volatile String held = NOBODY;
    private volatile String refused = NOBODY;

    @Override
    public InstantSource clock() {
        return () -> START.plusNanos(nanos.get());
    }

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Ids ids() {
        return ids;
    }

    @Override
    public Thread startApart(String name, Runnable task) {
        return start(name, task);
    }

    @Override
    public Thread start(String name, Runnable task) {
        if (name.startsWith(refused)) {
            throw new OutOfMemoryError("No more threads.");
        }
        CountDownLatch gate = name.startsWith(held) ? letGo : new CountDownLatch(0);
        Thread thread = Thread.ofVirtual().name(name).unstarted(() -> {
            awaitUninterrupted(gate);
            task.run();
        });
        // Before it runs, so that nobody who has seen what it does is told that no such thread is running.
        threads.add(thread);
        thread.start();
        return thread;
    }

    private static void awaitUninterrupted(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            awaitUninterrupted(gate);
            Thread.currentThread().interrupt();
        }
    }

    /** Threads whose names begin so are started from here on, and run when they are let go. */
    void hold(String prefix) {
        held = prefix;
    }

    void letGo() {
        letGo.countDown();
    }

    /** From here on no thread can be started whose name begins so. */
    void refuse(String prefix) {
        refused = prefix;
    }

    /** How many threads of this name have not ended. */
    long running(String name) {
        return threads.stream()
                .filter(thread -> thread.isAlive() && thread.getName().equals(name))
                .count();
    }

    void interrupt(String name) {
        threads.stream().filter(thread -> thread.getName().equals(name)).forEach(Thread::interrupt);
    }

    @Override
    public Bell bell() {
        VirtualBell bell = new VirtualBell();
        bells.add(bell);
        return bell;
    }

    /** Lets time pass at once. */
    void pass(Duration by) {
        lock.lock();
        try {
            nanos.addAndGet(by.toNanos());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when exactly so many threads of this name wait at a bell, with nothing to wake them. */
    void awaitIdle(String name, int threads) throws InterruptedException {
        lock.lock();
        try {
            long left = PATIENCE.toNanos();
            while (bells.stream().filter(bell -> bell.isWaitedAtBy(name)).count() != threads) {
                left = changed.awaitNanos(left);
                assertThat(left).as("patience with %s", name).isPositive();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether a thread of this name waits at a bell, with nothing to wake it. */
    boolean isIdle(String name) {
        lock.lock();
        try {
            return bells.stream().anyMatch(bell -> bell.isWaitedAtBy(name));
        } finally {
            lock.unlock();
        }
    }

    private final class VirtualBell implements Bell {
        private boolean rung;
        private long deadline;
        private @Nullable Thread waiting;

        @Override
        public void ring() {
            lock.lock();
            try {
                rung = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public boolean await(Duration atMost) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                deadline = nanos.get() + atMost.toNanos();
                waiting = Thread.currentThread();
                changed.signalAll();
                while (!rung && deadline - nanos.get() > 0) {
                    changed.await();
                }
                boolean answer = rung;
                rung = false;
                return answer;
            } finally {
                waiting = null;
                changed.signalAll();
                lock.unlock();
            }
        }

        boolean isWaitedAtBy(String name) {
            return waiting != null
                    && Objects.requireNonNull(waiting).getName().equals(name)
                    && !rung
                    && deadline - nanos.get() > 0;
        }
    }
}
