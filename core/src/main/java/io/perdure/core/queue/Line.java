package io.perdure.core.queue;

import io.perdure.sdk.environment.Bell;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for messages of one queue, in the order they came, and when one of them must look next. They are called one at a time
 * where each of them takes whatever comes; all together where each wants something else. Times are nanoseconds of the environment. Not
 * safe for threads: {@link Waiters} holds its lock around every call.
 */
final class Line {
    /** A line that something happens in is looked at within so long, whatever it was told. */
    static final Duration LOOK_WITHIN = Duration.ofSeconds(5);

    /** And one that nothing happens in: twice as long after each look that nobody called for, up to this. */
    static final Duration LOOK_WITHIN_AT_REST = Duration.ofSeconds(30);

    private final boolean together;
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private long lookWithin = LOOK_WITHIN.toNanos();
    private long lookAt;
    private boolean atRest;
    private @Nullable Due due;

    /** A line, in which a call is for one or for all of them together. */
    Line(boolean together, long now) {
        this.together = together;
        this.lookAt = now + lookWithin;
    }

    /** When a time of the store's clock comes, by ours. */
    private record Due(Instant time, long nanos) {}

    /** One receiver. It is called from the start: nobody waits without having looked. */
    static final class Waiter {
        private final Bell bell;
        private boolean called = true;
        private boolean halfway;

        /** One that begins, or has looked at some of what there is and goes on from there. */
        Waiter(Bell bell, boolean halfway) {
            this.bell = bell;
            this.halfway = halfway;
        }

        Bell bell() {
            return bell;
        }

        private void call() {
            called = true;
            bell.ring();
        }
    }

    void join(Waiter waiter) {
        waiters.add(waiter);
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    /**
     * Calls the first that is not called yet, or all of them where they are called together. Who is called already will look later
     * than now: that is enough.
     */
    void call() {
        stir();
        for (Waiter waiter : waiters) {
            if (!waiter.called) {
                waiter.call();
                if (!together) {
                    return;
                }
            }
        }
    }

    /** One hands its call on: it did not get to look, or there may be more. Where all are called, each has a call of its own. */
    void handOn() {
        if (!together) {
            call();
        }
    }

    /** One has not looked at everything yet, and goes on at once. */
    void goOn(Waiter waiter) {
        waiter.halfway = true;
    }

    /** Wakes everybody, to see that nobody is to wait any more. */
    void wakeAll() {
        waiters.forEach(waiter -> waiter.bell.ring());
    }

    /**
     * Whether this one is to look now: it was called, or it is the first and the time has come. Both then count as served;
     * what comes from here on, during the look too, calls again. Who is halfway through goes on, and serves no call by that: what it
     * is called for may lie where it has been. A time that has come then calls everybody, this one too.
     */
    boolean beginLook(Waiter waiter, long now) {
        boolean timeHasCome = lookAt - now <= 0;
        if (!waiter.halfway && !waiter.called && !(isFirst(waiter) && timeHasCome)) {
            return false;
        }
        if (timeHasCome) {
            if (!waiter.called) {
                lookWithin = Math.min(2 * lookWithin, LOOK_WITHIN_AT_REST.toNanos());
            }
            callOthers(waiter);
        }
        boolean keepTime = together && !timeHasCome && (waiter.halfway || lookAt - (now + lookWithin) < 0);
        lookAt = keepTime ? lookAt : now + lookWithin;
        waiter.called = waiter.halfway && (waiter.called || timeHasCome);
        waiter.halfway = false;
        return true;
    }

    /** What one of them finds in time is not what the others want, where they are called together. */
    private void callOthers(Waiter looking) {
        if (together) {
            waiters.stream()
                    .filter(waiter -> waiter != looking && !waiter.called)
                    .forEach(Waiter::call);
        }
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

    /** How long this one may wait where it need not look: the first keeps the time for all, the others wait to be called. */
    long nanosToWait(Waiter waiter, long now, long deadline) {
        if (waiter.halfway || waiter.called) {
            return 0;
        }
        return Math.max(0, isFirst(waiter) ? Math.min(deadline - now, lookAt - now) : deadline - now);
    }

    /** Lets one go, with what it was called for and did not look at, and with the keeping of the time. */
    void leave(Waiter waiter) {
        boolean wasFirst = isFirst(waiter);
        waiters.remove(waiter);
        if (waiter.called) {
            handOn();
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
