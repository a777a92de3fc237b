package io.perdure.testkit.property;

import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Extend;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.Receive;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.Store;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import java.time.Duration;
import java.util.List;

/** One call of a store, or a move of the clock. */
sealed interface Operation {
    /** Makes the call. A store that throws one of its own errors has answered with its code. */
    default Object applyTo(Store store) {
        try {
            return call(store);
        } catch (PerdureException e) {
            return e.code();
        }
    }

    /** The call itself; a move of the clock has none. */
    Object call(Store store);

    record OpenLanes(ProcessId process, int count) implements Operation {
        @Override
        public Object call(Store store) {
            store.openLanes(process, count);
            return count;
        }
    }

    record Send(Batch batch) implements Operation {
        @Override
        public Object call(Store store) {
            return store.commit(batch);
        }
    }

    /** Sends the newest batch of a lane again, as after a lost answer. */
    record Resend(Batch batch) implements Operation {
        @Override
        public Object call(Store store) {
            return store.commit(batch);
        }
    }

    /** Sends a batch that cannot be next. */
    record Misnumber(Batch batch) implements Operation {
        @Override
        public Object call(Store store) {
            return store.commit(batch);
        }
    }

    record Claim(ClaimRuns request) implements Operation {
        @Override
        public Object call(Store store) {
            return store.claim(request);
        }
    }

    record ReceiveSome(Receive request) implements Operation {
        @Override
        public Object call(Store store) {
            return store.receive(request);
        }
    }

    record ExtendSome(List<Extend> leases) implements Operation {
        @Override
        public Object call(Store store) {
            return store.extend(leases);
        }
    }

    record ListRuns(RunQuery query) implements Operation {
        @Override
        public Object call(Store store) {
            return store.runs(query);
        }
    }

    record ListMessages(MessageQuery query) implements Operation {
        @Override
        public Object call(Store store) {
            return store.messages(query);
        }
    }

    record LookUpKey(TenantId tenant, WorkflowName workflow, IdempotencyKey key) implements Operation {
        @Override
        public Object call(Store store) {
            return store.runOf(tenant, workflow, key);
        }
    }

    record SweepAll(Sweep what) implements Operation {
        @Override
        public Object call(Store store) {
            int removed = store.sweep(what, 10_000);
            // How a store keeps its lanes is its own affair; what it forgot shows when they are used.
            return what == Sweep.LANE_BATCHES ? "swept" : removed;
        }
    }

    record MoveClock(Duration by) implements Operation {
        @Override
        public Object call(Store store) {
            return store.now();
        }
    }
}
