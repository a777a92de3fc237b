package io.perdure.core.store;

import io.perdure.core.store.Committed.WokenRun;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loop of one lane: take what lies in the handoff, cut a batch from the front, bring it to the store, answer its callers,
 * again. Whatever goes wrong on the way, every caller of the batch is answered, and the loop goes on.
 */
final class Lane implements Runnable {
    private final Handoff handoff = new Handoff();
    private final Courier courier;
    private final Room room;
    private final LedgerTally tally;
    private final Limits.Ledger limits;
    private final StepAside stepAside;

    // Only the lane's thread touches these.
    private final List<Pending> batch = new ArrayList<>();
    private int heldCommits;
    private long heldBytes;
    /** Taken and not yet in a batch: the oldest, from which the others follow. */
    private @Nullable Pending next;

    Lane(Courier courier, Room room, LedgerTally tally, Limits.Ledger limits, Environment environment) {
        this.courier = courier;
        this.room = room;
        this.tally = tally;
        this.limits = limits;
        this.stepAside = new StepAside(environment);
    }

    /** Leaves a commit for this lane; false where it has ended. */
    boolean push(Pending pending) {
        return handoff.push(pending);
    }

    Courier courier() {
        return courier;
    }

    /** Lets the lane end once it has brought all that was handed over. */
    void close() {
        courier.endWithin(limits.patience());
        handoff.close();
    }

    @Override
    public void run() {
        Throwable fault = null;
        while (true) {
            try {
                if (fault != null) {
                    mend(fault);
                    fault = null;
                }
                if (!turn()) {
                    return;
                }
            } catch (Throwable e) {
                // A fault of ours, or no memory. A lane that died of it would leave its callers waiting for ever.
                fault = e;
            }
        }
    }

    private boolean turn() {
        gather();
        if (batch.isEmpty()) {
            return handoff.await();
        }
        PerdureException failure = null;
        Committed committed = null;
        long asked = courier.nanoTime();
        try {
            committed = courier.deliver(
                    batch.stream().map(Pending::commit).toList(),
                    batch.getFirst().handedNanos(),
                    along());
        } catch (PerdureException e) {
            failure = e;
        }
        // Before the answers, so that a caller who has its answer finds its room free, and the run in hand.
        leaveRoom();
        give(committed == null ? null : committed.woken(), asked);
        if (committed != null) {
            answer(committed.outcomes());
        } else if (failure != null) {
            fail(failure);
        }
        boolean several = batch.size() > 1;
        batch.clear();
        if (several) {
            stepAside.await();
        }
        return true;
    }

    /** Fills the batch with what is there, as far as it fits, one commit in any case; waits for nothing. */
    private void gather() {
        boolean taken = false;
        int rows = 0;
        while (rows < limits.batchRows()) {
            if (next == null && !taken) {
                next = handoff.take();
                taken = true;
            }
            if (next == null) {
                return;
            }
            Pending added = next;
            rows += Weight.rows(added.commit());
            boolean fits = rows <= limits.batchRows() && heldBytes + added.bytes() <= limits.batchBytes();
            if (!fits && !batch.isEmpty()) {
                return;
            }
            batch.add(added);
            heldCommits++;
            heldBytes += added.bytes();
            next = added.below;
            // Unlinked: a caller that keeps its own must not keep all that came after it.
            added.below = null;
        }
    }

    /** Gives back the room of the batch, once: a fault may bring the lane here again with the same batch. */
    private void leaveRoom() {
        int commits = heldCommits;
        long bytes = heldBytes;
        heldCommits = 0;
        heldBytes = 0;
        room.leave(commits, bytes);
    }

    /** The claim that goes along with a commit that travels alone. */
    private @Nullable ClaimRuns along() {
        Taker taker = batch.size() == 1 ? batch.getFirst().taker() : null;
        return taker == null ? null : taker.request();
    }

    /** Tells the takers of the batch, each once: a fault may bring the lane here again with the same batch. */
    private void give(@Nullable WokenRun woken, long askedNanos) {
        for (Pending pending : batch) {
            Taker taker = pending.letGoOfTaker();
            if (taker != null) {
                taker.given(woken, askedNanos);
            }
        }
    }

    private void answer(List<Outcome> outcomes) {
        tally.commits.add(batch.size());
        tally.batches.increment();
        tally.largestBatch.accumulate(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).answer(outcomes.get(i));
        }
    }

    private void fail(PerdureException why) {
        tally.failed.add(batch.size());
        if (why.code() == ErrorCode.OUTCOME_UNKNOWN) {
            tally.unknown.add(batch.size());
        }
        Pending.failAll(batch, why);
    }

    /** Answers a batch that a fault left lying. Where the fault struck is not known, so neither is what became of it. */
    private void mend(Throwable fault) {
        if (!batch.isEmpty()) {
            leaveRoom();
            give(null, courier.nanoTime());
            fail(new StoreException(
                    ErrorCode.OUTCOME_UNKNOWN, "The lane failed while this commit was under way.", fault));
            courier.abandon();
            batch.clear();
        }
    }
}
