package io.perdure.core.workflow;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Pending;
import io.perdure.core.store.Taken;
import io.perdure.core.store.Taker;
import io.perdure.sdk.worker.Worker;

/** Passes runs that a commit of this process makes due straight to the worker of this process. */
record Passing(LocalBackend backend, Worker worker) implements Taker {
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
    public ClaimRuns request(int commits) {
        return backend.request(commits);
    }

    @Override
    public void given(int commits, Taken taken, long askedNanos) {
        worker.begin(backend.assignments(taken), commits, askedNanos);
    }
}
