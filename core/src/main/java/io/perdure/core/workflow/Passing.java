package io.perdure.core.workflow;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Committed.Contents;
import io.perdure.core.store.Committed.WokenRun;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Pending;
import io.perdure.core.store.Taker;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Passes the run that a commit of this process makes due straight to the worker of this process. */
record Passing(LocalBackend backend, Worker worker, SignalledReads reads) implements Taker {
    private static final System.Logger LOG = Logs.of(Passing.class);

    /** Hands a commit over that may make a run due; where there is room for that run here, it is taken along. */
    Pending hand(Ledger ledger, Commit commit) {
        if (!worker.reserve()) {
            return ledger.hand(commit);
        }
        boolean handed = false;
        try {
            Pending pending = ledger.hand(commit, this);
            handed = true;
            return pending;
        } finally {
            if (!handed) {
                worker.giveBack();
            }
        }
    }

    @Override
    public @Nullable ClaimRuns request() {
        return worker.isDraining() ? null : backend.request();
    }

    @Override
    public void given(@Nullable WokenRun woken, long askedNanos) {
        if (woken == null) {
            worker.giveBack();
            return;
        }
        ClaimedRun run = woken.claimed();
        Contents contents = woken.contents();
        useRoom(run, () -> {
            if (contents != null) {
                worker.goOn(backend.assignment(run, contents), askedNanos);
            } else {
                // The lane must not wait for what is yet to be read.
                reads.submit(() -> useRoom(run, () -> read(run, askedNanos)));
            }
            return true;
        });
    }

    /** False where it has ended since. */
    private boolean read(ClaimedRun run, long askedNanos) {
        List<Assignment> assignments = new ArrayList<>(1);
        backend.read(List.of(run), askedNanos, assignments::add);
        assignments.forEach(assignment -> worker.goOn(assignment, askedNanos));
        return !assignments.isEmpty();
    }

    /** Uses the room that was reserved for a run, or gives it back where that cannot be. */
    private void useRoom(ClaimedRun run, BooleanSupplier use) {
        boolean used = false;
        try {
            used = use.getAsBoolean();
        } catch (RuntimeException | Error e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "Run " + run.run() + " could not go on, and does once its lease has ended.",
                    e);
        } finally {
            if (!used) {
                worker.giveBack();
            }
        }
    }
}
