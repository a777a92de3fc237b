package io.perdure.core.queue;

import io.perdure.sdk.environment.Bell;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for messages of one queue, in the order they came, and when one of them must look next. Times are nanoseconds
 * of the environment. Not safe for threads: {@link Waiters} holds its lock around every call.
 */
final class Line {
    /** A line that something happens in is looked at within so long, whatever it was told. */
    static final Duration LOOK_WITHIN = Duration.ofSeconds(5);

    /** And one that nothing happens in: twice as long after each look that nobody called for, up to this. */
    static final Duration LOOK_WITHIN_AT_REST = Duration.ofSeconds(30);

    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private long lookWithin = LOOK_WITHIN.toNanos();
    private long lookAt;
    private boolean atRest;
    private @Nullable Due due;

    Line(long now) {
        this.lookAt = now + lookWithin;
    }

    /** When a time of the store's clock comes, by ours. */
    private record Due(Instant time, long nanos) {}

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
        stir();
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
        boolean inTime = isFirst(waiter) && lookAt - now <= 0;
        if (!waiter.called && !inTime) {
            return false;
        }
        if (!waiter.called) {
            lookWithin = Math.min(2 * lookWithin, LOOK_WITHIN_AT_REST.toNanos());
        }
        waiter.called = false;
        lookAt = now + lookWithin;
        return true;
    }

    /** Notes what a look has found. Where something happens, a lost hint is made up for soon. */
    void found(int messages) {
        if (messages > 0) {
            stir();
        } else {
            atRest = true;
        }
    }

    /** Whether the last look found nothing, and nobody was called since. */
    boolean isAtRest() {
        return atRest;
    }

    private void stir() {
        atRest = false;
        lookWithin = LOOK_WITHIN.toNanos();
    }

    /** When that time of the store's clock comes, where an earlier look has found out and it is still to come. */
    OptionalLong nanosOf(Instant time, long now) {
        return due != null && due.time.equals(time) && due.nanos - now > 0
                ? OptionalLong.of(due.nanos)
                : OptionalLong.empty();
    }

    /** Notes that something becomes ready at a time of the store's clock, which comes then by ours. */
    void lookAt(Instant time, long nanos) {
        due = new Due(time, nanos);
        // Only ever earlier: two looks may end in another order than they began.
        if (nanos - lookAt < 0) {
            lookAt = nanos;
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
