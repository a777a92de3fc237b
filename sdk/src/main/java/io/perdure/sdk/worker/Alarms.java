package io.perdure.sdk.worker;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Runs short actions when their time comes: the timeouts of steps. One thread for all of them, that rests while there are none. */
final class Alarms implements Runnable {
    private static final Duration NEVER = Duration.ofDays(1);

    private final Environment environment;
    private final Bell bell;
    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>((a, b) -> Long.signum(a.nanos - b.nanos));
    private volatile boolean closed;

    /** An action and its time. */
    private record Alarm(long nanos, Runnable action) {}

    Alarms(Environment environment) {
        this.environment = environment;
        this.bell = environment.bell();
    }

    /** Has an action done after so long, unless the answer is run before. */
    Runnable in(Duration delay, Runnable action) {
        // Converted, not toNanos(): centuries must not overflow.
        Alarm alarm = new Alarm(
                environment.nanoTime() + Math.min(TimeUnit.NANOSECONDS.convert(delay), NEVER.toNanos() * 365), action);
        boolean first;
        lock.lock();
        try {
            alarms.add(alarm);
            first = alarm.equals(alarms.peek());
        } finally {
            lock.unlock();
        }
        if (first) {
            bell.ring();
        }
        return () -> remove(alarm);
    }

    private void remove(Alarm alarm) {
        lock.lock();
        try {
            alarms.remove(alarm);
        } finally {
            lock.unlock();
        }
    }

    void close() {
        closed = true;
        bell.ring();
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                Alarm due = due();
                if (due != null) {
                    due.action.run();
                } else {
                    bell.await(untilNext());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable Alarm due() {
        lock.lock();
        try {
            Alarm first = alarms.peek();
            return first != null && first.nanos - environment.nanoTime() <= 0 ? alarms.poll() : null;
        } finally {
            lock.unlock();
        }
    }

    private Duration untilNext() {
        lock.lock();
        try {
            Alarm first = alarms.peek();
            return first == null ? NEVER : Duration.ofNanos(Math.max(0, first.nanos - environment.nanoTime()));
        } finally {
            lock.unlock();
        }
    }
}
