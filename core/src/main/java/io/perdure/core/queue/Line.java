package io.perdure.core.queue;

import io.perdure.sdk.environment.Bell;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Those who wait for messages of one queue, in the order they came, and when one of them must look next. Times are nanoseconds
 * of the environment. Not safe for threads: {@link Waiters} holds its lock around every call.
 */
final class Line {
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private final long lookWithinNanos;
    private long lookAt;

    /** A line that is looked at within so many nanoseconds, whatever it was told. */
    Line(long lookWithinNanos, long now) {
        this.lookWithinNanos = lookWithinNanos;
        this.lookAt = now + lookWithinNanos;
    }

    /** One receiver. It is called from the start: nobody waits without having looked. */
    static final class Waiter {
        private final Bell bell;
        private boolean called = true;

        Waiter(Bell bell) {
            this.bell = bell;
        }

        Bell bell() {
            return bell;
        }
    }

    void join(Waiter waiter) {
        waiters.add(waiter);
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    /** Calls the first that is not called yet. Where all are, each of them will look later than now: that is enough. */
    void call() {
        for (Waiter waiter : waiters) {
            if (!waiter.called) {
                waiter.called = true;
                waiter.bell.ring();
                return;
            }
        }
    }

    /** Wakes everybody, to see that the engine is closed. */
    void dismiss() {
        waiters.forEach(waiter -> waiter.bell.ring());
    }

    /**
     * Whether this one is to look now: it was called, or it is the first and the time has come. Both then count as served;
     * what comes from here on, during the look too, calls again.
     */
    boolean beginLook(Waiter waiter, long now) {
        boolean due = waiter.called || (isFirst(waiter) && lookAt - now <= 0);
        if (due) {
            waiter.called = false;
            lookAt = now + lookWithinNanos;
        }
        return due;
    }

    /** Notes that something may be ready then. Only ever earlier: two looks may end in another order than they began. */
    void lookAt(long time) {
        if (time - lookAt < 0) {
            lookAt = time;
            retimeFirst();
        }
    }

    /** How long this one may wait: the first keeps the time for all, the others wait to be called. */
    long nanosToWait(Waiter waiter, long now, long deadline) {
        return Math.max(0, isFirst(waiter) ? Math.min(deadline - now, lookAt - now) : deadline - now);
    }

    /** Lets one go, with what it was called for and did not look at, and with the keeping of the time. */
    void leave(Waiter waiter) {
        boolean wasFirst = isFirst(waiter);
        waiters.remove(waiter);
        if (waiter.called) {
            call();
        }
        if (wasFirst) {
            retimeFirst();
        }
    }

    private boolean isFirst(Waiter waiter) {
        return waiters.peekFirst() == waiter;
    }

    private void retimeFirst() {
        Waiter first = waiters.peekFirst();
        if (first != null) {
            first.bell.ring();
        }
    }
}
