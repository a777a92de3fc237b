package io.perdure.testkit.property;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Extend;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.Receive;
import io.perdure.core.store.RunPage;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.Store;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import java.time.Duration;
import java.util.ArrayList;
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

    /** Sends a batch again, as after a lost answer. */
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

    /** Reads a list of runs to its end. */
    record ListAllRuns(RunQuery query) implements Operation {
        private static final int MOST_PAGES = 10_000;

        @Override
        public Object call(Store store) {
            List<RunPage> pages = new ArrayList<>(List.of(store.runs(query)));
            while (pages.getLast().next() != null && pages.size() < MOST_PAGES) {
                pages.add(store.runs(query.from(pages.getLast().next())));
            }
            return pages;
        }
    }

    record ListOverdue(TenantId tenant, Duration by, int limit) implements Operation {
        @Override
        public Object call(Store store) {
            return store.overdue(tenant, by, limit);
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

    record ReadRun(TenantId tenant, RunId run) implements Operation {
        @Override
        public Object call(Store store) {
            return store.run(tenant, run);
        }
    }

    record ReadHistory(TenantId tenant, RunId run, long from, int limit) implements Operation {
        @Override
        public Object call(Store store) {
            return store.history(tenant, run, from, limit);
        }
    }

    /** Sweeps once. */
    record SweepSome(Sweep what, int limit) implements Operation {
        @Override
        public Object call(Store store) {
            return store.sweep(what, limit);
        }
    }

    record Announce(Announcement worker) implements Operation {
        @Override
        public Object call(Store store) {
            store.announce(worker);
            return store.workers(worker.tenant());
        }
    }

    record Withdraw(TenantId tenant, ProcessId process) implements Operation {
        @Override
        public Object call(Store store) {
            store.withdraw(tenant, process);
            return store.workers(tenant);
        }
    }

    /** Sweeps until a sweep finds less than it may remove, and answers what each of them removed. */
    record SweepOut(Sweep what, int limit) implements Operation {
        private static final int MOST_SWEEPS = 10_000;

        @Override
        public Object call(Store store) {
            List<Integer> removed = new ArrayList<>();
            do {
                removed.add(store.sweep(what, limit));
            } while (removed.getLast() == limit && removed.size() < MOST_SWEEPS);
            return removed;
        }
    }

    record MoveClock(Duration by) implements Operation {
        @Override
        public Object call(Store store) {
            return store.now();
        }
    }
}
