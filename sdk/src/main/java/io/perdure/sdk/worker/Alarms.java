package io.perdure.sdk.worker;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs short actions when their time comes: the timeouts of steps. One thread for all of them, that rests while there are none.
 *
 * <p>Without a lock: virtual threads set alarms, and the thread that runs the actions must not wait behind one of them that has no carrier.
 */
final class Alarms implements Runnable {
    private static final Duration NEVER = Duration.ofDays(1);

    private final Environment environment;
    private final Bell bell;
    /** Sorted, so that one of a hundred thousand is called off as quickly as one of ten. */
    private final ConcurrentSkipListSet<Alarm> alarms = new ConcurrentSkipListSet<>(Alarm.ORDER);

    private final AtomicLong numbers = new AtomicLong();
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
        Alarm alarm = new Alarm(nanos, numbers.incrementAndGet(), action);
        alarms.add(alarm);
        if (alarms.headSet(alarm).isEmpty()) {
            bell.ring();
        }
        return () -> alarms.remove(alarm);
    }

    void close() {
        closed = true;
        bell.ring();
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                Duration untilNext = doDue();
                if (untilNext.isPositive()) {
                    bell.await(untilNext);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does what is due; returns how long it is until the next. */
    private Duration doDue() {
        for (Alarm first : alarms) {
            long left = first.nanos - environment.nanoTime();
            if (left > 0) {
                return Duration.ofNanos(left);
            }
            // Whoever removes it has it: it may be called off in this moment.
            if (alarms.remove(first)) {
                Uncaught.guarded(first.action);
            }
            if (closed) {
                return Duration.ZERO;
            }
        }
        return NEVER;
    }
}
