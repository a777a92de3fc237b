package io.perdure.sdk.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Gets the code of a run that was cancelled or lost out of its slot, wherever it is: in a step, or computing or blocked between two calls of its context. It is interrupted, and again
 * every second. If it has not ended after five seconds, the slot is given back and the thread is abandoned: it is counted and logged, and every later call of its context throws a
 * {@link Suspension}. There are at most as many abandoned threads as slots; with more, runs keep theirs until one of those threads ends.
 *
 * <p>One per turn. Used by the turn's thread, by the thread that takes the run away, and by the one for timeouts.
 */
final class Eviction {
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final int INTERRUPTS = 5;

    private final Worker worker;
    private final Held held;
    private final Follower follower;
    private final StepThread code = new StepThread();
    /** Taken by the thread that gives the slot back: the turn at its end, or the one that abandons it. */
    private final AtomicBoolean hasSlot = new AtomicBoolean(true);

    private boolean ordered;
    private boolean running;
    private int interrupts;
    private @Nullable Runnable callOff;
    private volatile boolean inCode;
    private volatile boolean abandoned;

    Eviction(Worker worker, Held held, Follower follower) {
        this.worker = worker;
        this.held = held;
        this.follower = follower;
    }

    /** Whether the turn's thread runs the workflow's code, and not what comes before or after it. */
    boolean isInCode() {
        return inCode;
    }

    /** Whether the slot was given back though the thread has not ended. */
    boolean isAbandoned() {
        return abandoned;
    }

    /** The calling thread begins to run the workflow's code. */
    synchronized void enterCode() {
        code.begin();
        inCode = true;
        running = true;
        if (ordered) {
            await();
        }
    }

    /** The code has ended; returns whether it was interrupted between its steps, so that what it ended with means nothing. */
    boolean leaveCode() {
        inCode = false;
        return code.end();
    }

    /** Interrupts the code, and sees to it that its slot becomes free. */
    synchronized void order() {
        code.interrupt();
        if (!ordered) {
            ordered = true;
            if (running) {
                await();
            }
        }
    }

    private void await() {
        callOff = worker.alarms().in(AGAIN, this::insist);
    }

    private synchronized void insist() {
        if (!running) {
            return;
        }
        interrupts++;
        // Behind its code a turn only waits for the store, which answers or is given up.
        boolean enough = interrupts >= INTERRUPTS && inCode;
        boolean gone = enough && abandon();
        if (!gone) {
            code.interrupt();
            await();
        }
        if (enough) {
            // Last, because who writes the log may throw.
            worker.abandoned().tell(held.run(), gone);
        }
    }

    /** Gives the slot back; returns false if there are as many abandoned threads as there may be. */
    private boolean abandon() {
        if (!worker.abandoned().add()) {
            return false;
        }
        if (hasSlot.getAndSet(false)) {
            abandoned = true;
            worker.giveBack();
            follower.left();
        } else {
            worker.abandoned().remove();
        }
        return true;
    }

    /** The turn has ended, and with it its thread's work. */
    void end() {
        synchronized (this) {
            running = false;
            if (callOff != null) {
                callOff.run();
            }
        }
        if (hasSlot.getAndSet(false)) {
            worker.giveBack();
        } else {
            worker.abandoned().remove();
        }
    }
}
