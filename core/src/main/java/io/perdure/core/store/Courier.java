package io.perdure.core.store;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.ProcessId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Brings the batches of one lane to the store, one at a time, and comes back with outcomes or with the truth about why there
 * are none. It numbers the batches, sends those again whose answer was lost, and knows when a lane can no longer be used.
 *
 * <p>The number moves on with an answer and with nothing else. After an error that says that nothing was applied the next
 * batch takes the same number. After a batch whose fate stayed unknown the lane is abandoned: that batch may still be applied
 * by a server that was only slow, and then its number is gone.
 */
final class Courier {
    /**
     * How long a batch is sent again at least whose answer was lost: only that tells whether it was applied. It may have waited through an outage, so that its
     * patience is used up with the first attempt. Once in an outage: otherwise those who wait would hear of it later and later.
     */
    private static final Duration SETTLING = Duration.ofSeconds(2);

    private final Store store;
    private final Environment environment;
    private final Duration patience;
    private final LedgerTally tally;
    /** Absent between giving up one lane and opening the next. Read by whoever keeps lanes alive. */
    private volatile @Nullable Opened lane;

    private long number = 1;
    private @Nullable ProcessId fresh;
    private volatile @Nullable Long endsAt;
    /** When the first of the attempts failed since the store answered last; null if none did. */
    private @Nullable Long failingSince;
    /** Until when lost answers are asked for again though patience is over; null if none was lost since the store answered last. */
    private @Nullable Long settlingUntil;

    /**
     * A lane in use.
     *
     * @param lanes how many lanes its process opened
     */
    record Opened(LaneId id, int lanes) {}

    Courier(Store store, Environment environment, Duration patience, LedgerTally tally, Opened lane) {
        this.store = store;
        this.environment = environment;
        this.patience = patience;
        this.tally = tally;
        this.lane = lane;
    }

    /** The lane in use, if there is one. */
    @Nullable
    Opened lane() {
        return lane;
    }

    long nanoTime() {
        return environment.nanoTime();
    }

    /** From now on all batches together have this time at most, and each no more than its patience: the ledger closes and its callers wait. */
    void endWithin(Duration atMost) {
        // Converted, not toNanos(): centuries must not overflow.
        long ends = environment.nanoTime() + TimeUnit.NANOSECONDS.convert(atMost);
        Long before = endsAt;
        endsAt = before == null || ends - before < 0 ? Long.valueOf(ends) : before;
    }

    /** What is left of a patience that began then, in nanoseconds, unless {@link #endWithin} ends it earlier. */
    long leftNanos(long beganNanos) {
        long now = environment.nanoTime();
        return untilEnd(patience.toNanos() - (now - beganNanos), now);
    }

    private long untilEnd(long leftNanos, long now) {
        Long ends = endsAt;
        return ends == null ? leftNanos : Math.min(leftNanos, ends - now);
    }

    /**
     * Brings commits to the store, and the claim that goes along with them. During an outage that earlier batches met, its patience began when the oldest of
     * its commits was handed over: otherwise callers would hear of the outage after as many patiences as there are batches before theirs. Throws {@code PD-201} where nobody knows what became of
     * them, {@code PD-202} where the store went back in time (the message says whether they may have been applied), and anything else
     * where nothing was applied.
     *
     * @param handedNanos when the oldest of them was handed over
     */
    Committed deliver(List<Commit> commits, long handedNanos, @Nullable ClaimRuns along) {
        Attempts attempts = new Attempts(handedNanos);
        LaneId id = openLane(attempts).id();
        Batch batch = new Batch(id, number, commits);
        Throwable doubt = null;
        while (true) {
            Throwable lost;
            try {
                return answered(
                        batch, along == null ? new Committed(store.commit(batch), null) : store.commit(batch, along));
            } catch (PerdureException e) {
                lost = e;
                if (isDoubt(e)) {
                    doubt = e;
                    answerLost();
                } else if (e.code() == ErrorCode.LANE_REWOUND) {
                    abandon();
                    storeAnswered();
                    throw rewound(e, doubt);
                } else if (doubt == null && !isPassing(e)) {
                    throw refused(e);
                }
                // A definite error after a lost answer speaks of the later attempt only: the earlier may be applied.
            } catch (RuntimeException e) {
                // No store may throw this, so nothing is known about when it did.
                lost = e;
                doubt = e;
                answerLost();
            } catch (Error e) {
                // No memory, or a broken class: nothing to try again with.
                abandon();
                throw unknown(batch, e);
            }
            if (isClosed(lost) || !attempts.again()) {
                throw givenUp(batch, lost, doubt);
            }
            tally.resends.increment();
        }
    }

    private Committed answered(Batch batch, Committed committed) {
        if (committed.outcomes().size() != batch.commits().size()) {
            throw new IllegalStateException(
                    "The store answered " + committed.outcomes().size() + " outcomes to a batch of "
                            + batch.commits().size() + " commits.");
        }
        number++;
        storeAnswered();
        return committed;
    }

    private void storeAnswered() {
        failingSince = null;
        settlingUntil = null;
    }

    private void answerLost() {
        if (settlingUntil == null) {
            settlingUntil = environment.nanoTime() + SETTLING.toNanos();
        }
    }

    private PerdureException givenUp(Batch batch, Throwable lost, @Nullable Throwable doubt) {
        if (doubt == null && lost instanceof PerdureException e) {
            return e;
        }
        abandon();
        return unknown(batch, doubt == null ? lost : doubt);
    }

    /**
     * A refusal that is not about the store itself, such as {@code PD-008}, is the store's judgement of the batch before it
     * changed anything. It may be the number that it minds: one that another batch has used up. Then it would refuse all that
     * follow, so the lane is given up, which costs nothing where it was something else.
     */
    private PerdureException refused(PerdureException e) {
        storeAnswered();
        if (!(e instanceof StoreException)) {
            abandon();
        }
        return e;
    }

    private StoreException rewound(PerdureException e, @Nullable Throwable doubt) {
        String truth = doubt == null
                ? "Nothing of this commit was applied."
                : "An earlier attempt may have been applied, and may be gone again.";
        return new StoreException(ErrorCode.LANE_REWOUND, e.what() + " " + truth, e);
    }

    private StoreException unknown(Batch batch, Throwable cause) {
        return new StoreException(
                ErrorCode.OUTCOME_UNKNOWN,
                "The store gave no answer to batch " + batch.number() + " of lane "
                        + batch.lane().number()
                        + " of process " + batch.lane().process()
                        + ", which was applied, was not, or is yet to be. Read back what it was to change, or repeat the call"
                        + " with the same idempotency key or deduplication id.",
                cause);
    }

    /** Gives up the lane. Its next batch goes by a fresh one, which is opened when there is a next batch. */
    void abandon() {
        lane = null;
        fresh = null;
        number = 1;
    }

    /** The lane in use, or a fresh one. What it throws means that nothing was sent. */
    private Opened openLane(Attempts attempts) {
        Opened open = lane;
        if (open != null) {
            return open;
        }
        while (true) {
            try {
                ProcessId process = fresh == null ? environment.ids().processId() : fresh;
                // Kept over a lost answer: opening the same lane twice opens one.
                fresh = process;
                store.openLanes(process, 1);
                open = new Opened(new LaneId(process, 0), 1);
                lane = open;
                storeAnswered();
                tally.freshLanes.increment();
                return open;
            } catch (RuntimeException e) {
                if (e instanceof PerdureException lasting && !mayPass(lasting)) {
                    storeAnswered();
                    throw lasting;
                }
                if (!attempts.again()) {
                    throw notSent(e);
                }
            }
        }
    }

    private static PerdureException notSent(RuntimeException e) {
        if (e instanceof PerdureException definite && !isDoubt(definite)) {
            return definite;
        }
        // The lane's opening is in doubt, the commit is not: it never left.
        return new StoreException(ErrorCode.STORE_FAILED, "No lane could be opened, so the commit was not sent.", e);
    }

    /** Whether a call that may be done twice is worth another attempt. */
    static boolean mayPass(PerdureException e) {
        return isDoubt(e) || isPassing(e);
    }

    private static boolean isDoubt(PerdureException e) {
        return e.code() == ErrorCode.OUTCOME_UNKNOWN;
    }

    /** What is over soon, as a rule: a store held up by others, or a server that restarts. */
    private static boolean isPassing(PerdureException e) {
        return e.code() == ErrorCode.STORE_BUSY || e.code() == ErrorCode.STORE_UNREACHABLE;
    }

    /** A closed store answers nothing any more: trying again would only keep callers waiting. */
    private static boolean isClosed(Throwable e) {
        return e instanceof PerdureException known && known.code() == ErrorCode.STORE_CLOSED;
    }

    /** The attempts at one batch, until patience is over. */
    private final class Attempts {
        private final long startedAt;
        private final RetryDelays delays = new RetryDelays(environment);

        Attempts(long handedNanos) {
            Long failing = failingSince;
            if (failing == null) {
                startedAt = environment.nanoTime();
            } else {
                startedAt = handedNanos - failing < 0 ? failing : handedNanos;
            }
        }

        /** Waits for the time of the next attempt; false where patience is over. */
        boolean again() {
            if (failingSince == null) {
                failingSince = startedAt;
            }
            return delays.pause(leftNanos());
        }

        private long leftNanos() {
            long now = environment.nanoTime();
            long left = patience.toNanos() - (now - startedAt);
            Long settling = settlingUntil;
            if (settling != null) {
                left = Math.max(left, settling - now);
            }
            return untilEnd(left, now);
        }
    }
}
