package io.perdure.core.store;

import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A commit that was handed to a {@link Ledger}, for a caller that goes on and waits later. Any number of threads may wait.
 *
 * <p>It is also the link by which the commit hangs in its {@link Handoff}, so that handing over allocates once. Its state goes
 * from nobody waiting over a chain of those who wait to the answer, and no further.
 */
public final class Pending {
    private static final AtomicReferenceFieldUpdater<Pending, @Nullable State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(Pending.class, State.class, "state");

    private sealed interface State {}

    private record Waiter(Thread thread, @Nullable Waiter before) implements State {}

    private record Answered(Outcome outcome) implements State {}

    private record Failed(PerdureException why) implements State {}

    private final @Nullable Commit commit;
    private final long bytes;
    private final long handedNanos;
    private @Nullable Taker taker;
    private volatile @Nullable State state;

    /** The one handed over before; once the stack was taken and turned over, the one handed over next. */
    @Nullable
    Pending below;

    Pending(Commit commit, long bytes, long handedNanos, @Nullable Taker taker) {
        this.commit = commit;
        this.bytes = bytes;
        this.handedNanos = handedNanos;
        this.taker = taker;
    }

    private Pending() {
        commit = null;
        bytes = 0;
        handedNanos = 0;
        taker = null;
    }

    /** No commit, but a place in the stack that means something. */
    static Pending mark() {
        return new Pending();
    }

    /**
     * Waits until the outcome is durable, and answers it. Throws what the commit was answered with instead: a {@link
     * StoreException}, or the {@link PerdureException} by which the store refused it. Interrupting the waiter does not end the
     * wait, for the commit is under way all the same; the flag is set again at the end.
     */
    public Outcome await() {
        return switch (settled()) {
            case Answered answered -> answered.outcome();
            case Failed failed -> throw own(failed.why());
            case Waiter waiter -> throw new IllegalStateException("woken without an answer: " + waiter);
        };
    }

    /** Waits until {@link #await} returns or throws at once. */
    public void awaitSettled() {
        settled();
    }

    private State settled() {
        State answer = state;
        return answer == null || answer instanceof Waiter ? waitForAnswer() : answer;
    }

    /** Whether {@link #await} would answer at once. */
    public boolean isDone() {
        State now = state;
        return now != null && !(now instanceof Waiter);
    }

    Commit commit() {
        return Objects.requireNonNull(commit);
    }

    long bytes() {
        return bytes;
    }

    /** Returns when it was handed over, by the environment's nanoseconds. */
    long handedNanos() {
        return handedNanos;
    }

    /** Who would have the run that it makes due. Only the lane asks. */
    @Nullable
    Taker taker() {
        return taker;
    }

    /** The same, for the last time. */
    @Nullable
    Taker letGoOfTaker() {
        Taker last = taker;
        taker = null;
        return last;
    }

    void answer(Outcome outcome) {
        settle(new Answered(outcome));
    }

    /** Answers all of them with the same error; one object for all, since memory may be what there is none of. */
    static void failAll(List<Pending> batch, PerdureException why) {
        Failed failed = new Failed(why);
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).settle(failed);
        }
    }

    /** The first answer stands: a lane that stumbles while it answers may answer all of its batch again. */
    private void settle(State answer) {
        State before = state;
        while (before == null || before instanceof Waiter) {
            if (STATE.compareAndSet(this, before, answer)) {
                for (Waiter waiter = (Waiter) before; waiter != null; waiter = waiter.before()) {
                    LockSupport.unpark(waiter.thread());
                }
                return;
            }
            before = state;
        }
    }

    private State waitForAnswer() {
        boolean interrupted = false;
        boolean announced = false;
        State now = state;
        while (now == null || now instanceof Waiter) {
            if (announced) {
                LockSupport.park(this);
                // The flag must be down: with it up the next park would not wait.
                interrupted |= Thread.interrupted();
            } else {
                announced = STATE.compareAndSet(this, now, new Waiter(Thread.currentThread(), (Waiter) now));
            }
            now = state;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return now;
    }

    /** An exception of the waiter's own: with its stack, and its commit by name. One batch fails for thousands of callers. */
    private PerdureException own(PerdureException why) {
        return why.retold(Addressing.nameOf(commit()) + ": " + why.what());
    }
}
