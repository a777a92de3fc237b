package io.perdure.core.store;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where many callers leave commits for one lane. A stack without locks: a caller swaps itself onto the top, the lane swaps the
 * whole stack for nothing and turns it over, so that what came first goes first. A caller's swap is all that callers ever
 * contend for, and the lane takes a thousand commits with one.
 *
 * <p>The top says more than what lies there. A lane that finds nothing marks the top {@code RESTING} before it parks. The one
 * caller whose swap replaces that mark wakes the lane; everybody else knows from the same swap that it is awake. A lane that
 * ends marks the top {@code ENDED}, and only from {@code RESTING}: with nothing there. So whoever gets onto the stack is
 * taken, and whoever comes too late learns it from the swap.
 */
final class Handoff {
    private static final AtomicReferenceFieldUpdater<Handoff, @Nullable Pending> TOP =
            AtomicReferenceFieldUpdater.newUpdater(Handoff.class, Pending.class, "top");

    /** Nothing lies here and the lane sleeps, or is about to. */
    private final Pending resting = Pending.mark();
    /** The lane has ended. */
    private final Pending ended = Pending.mark();

    private volatile @Nullable Pending top;
    private volatile boolean closing;
    private volatile @Nullable Thread lane;

    /** Leaves a commit for the lane and wakes it if it rests; false where the lane has ended. */
    boolean push(Pending pending) {
        Pending before;
        do {
            before = top;
            if (before == ended) {
                return false;
            }
            pending.below = before == resting ? null : before;
        } while (!TOP.compareAndSet(this, before, pending));
        if (before == resting) {
            LockSupport.unpark(lane);
        }
        return true;
    }

    /**
     * Takes all that lies here: the oldest, from which the others follow in order by {@link Pending#below}. Only the lane calls
     * it, and not once it has ended.
     */
    @Nullable
    Pending take() {
        Pending newest = TOP.getAndSet(this, null);
        Pending oldest = null;
        while (newest != null && newest != resting) {
            Pending below = newest.below;
            newest.below = oldest;
            oldest = newest;
            newest = below;
        }
        return oldest;
    }

    /** Waits until something lies here; false, at once and for good, where nothing does and the handoff is closing. */
    boolean await() {
        lane = Thread.currentThread();
        if (!rest()) {
            return true;
        }
        while (top == resting) {
            if (closing && end()) {
                return false;
            }
            LockSupport.park(this);
            // Nobody has a reason to interrupt a lane; with the flag up it could not park again.
            Thread.interrupted();
        }
        return true;
    }

    /** Lets the lane end as soon as nothing lies here. */
    void close() {
        closing = true;
        LockSupport.unpark(lane);
    }

    /** Marks an empty stack as one whose lane sleeps; false where it is not empty. */
    boolean rest() {
        return TOP.compareAndSet(this, null, resting);
    }

    /** Ends a lane that rests; false where something came in between. */
    boolean end() {
        return TOP.compareAndSet(this, resting, ended);
    }
}
