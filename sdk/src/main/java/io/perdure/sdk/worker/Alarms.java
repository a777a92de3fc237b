package io.perdure.sdk.worker;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Runs short actions when their time comes: the timeouts of steps. One thread for all of them, that rests while there are none. */
final class Alarms implements Runnable {
    private static final Duration NEVER = Duration.ofDays(1);

    private final Environment environment;
    private final Bell bell;
    private final ReentrantLock lock = new ReentrantLock();
    /** Sorted, so that one of a hundred thousand is called off as quickly as one of ten. */
    private final TreeSet<Alarm> alarms = new TreeSet<>(Alarm.ORDER);

    private long numbers;
    private volatile boolean closed;

    /**
     * An action and its time.
     *
     * @param number tells it from others of the same time
     */
    private record Alarm(long nanos, long number, Runnable action) {
        /** By their difference: such nanoseconds may begin anywhere, and go over the largest number. */
        static final Comparator<Alarm> ORDER =
                ((Comparator<Alarm>) (a, b) -> Long.signum(a.nanos - b.nanos)).thenComparingLong(Alarm::number);
    }

    Alarms(Environment environment) {
        this.environment = environment;
        this.bell = environment.bell();
    }

    /** Has an action done after so long, unless the answer is run before. */
    Runnable in(Duration delay, Runnable action) {
        // Converted, not toNanos(): centuries must not overflow.
        long nanos = environment.nanoTime() + Math.min(TimeUnit.NANOSECONDS.convert(delay), NEVER.toNanos() * 365);
        Alarm alarm;
        boolean first;
        lock.lock();
        try {
            numbers++;
            alarm = new Alarm(nanos, numbers, action);
            alarms.add(alarm);
            first = alarms.first().number == alarm.number;
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
            boolean isDue = !alarms.isEmpty() && alarms.first().nanos - environment.nanoTime() <= 0;
            return isDue ? alarms.pollFirst() : null;
        } finally {
            lock.unlock();
        }
    }

    private Duration untilNext() {
        lock.lock();
        try {
            return alarms.isEmpty()
                    ? NEVER
                    : Duration.ofNanos(Math.max(0, alarms.first().nanos - environment.nanoTime()));
        } finally {
            lock.unlock();
        }
    }
}
