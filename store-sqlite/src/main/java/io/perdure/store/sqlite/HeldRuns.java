package io.perdure.store.sqlite;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The runs that workers hold, as they are in the file, so that a plain commit of their holders need not look: it is an insert
 * and nothing else. Reading them for each commit took half of the writer's time.
 *
 * <p>What is here is true, not a guess. Whoever takes a lease away or appends says so here; and all of it is forgotten when
 * a transaction is rolled back, and when {@code PRAGMA data_version} tells that another connection has written. A run that is
 * not here is read from the file.
 */
final class HeldRuns {
    /** What busy workers hold at a time; older ones are read again. */
    private static final int MOST = 50_000;

    private static final long UNKNOWN = -1;

    private static final String RETIRING =
            "SELECT EXISTS (SELECT 1 FROM retired_run WHERE id = ? AND tenant = ? AND id IS NOT NULL)";

    private final Map<RunId, HeldRun> runs = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RunId, HeldRun> eldest) {
            return size() > MOST;
        }
    };

    private long newestRow = UNKNOWN;
    private boolean someRetire;

    Optional<HeldRun> find(TenantId tenant, RunId run) {
        return Optional.ofNullable(runs.get(run)).filter(held -> held.tenant().equals(tenant));
    }

    void remember(HeldRun run) {
        runs.put(run.id(), run);
    }

    void forget(RunId run) {
        runs.remove(run);
    }

    void forget() {
        runs.clear();
        forgetRows();
    }

    /** Forgets which rows are taken: runs are being removed. */
    void forgetRows() {
        newestRow = UNKNOWN;
    }

    /** The place of a run that begins: given out here, so that it is known without asking. */
    long nextRow(Session session) {
        lookAtRows(session);
        newestRow++;
        return newestRow;
    }

    /** Whether a run that had this id is removed and has left a mailbox or keys. */
    boolean isRetiring(Session session, TenantId tenant, RunId run) {
        lookAtRows(session);
        return someRetire && session.number(RETIRING, run.value(), tenant.value()) == 1;
    }

    private void lookAtRows(Session session) {
        if (newestRow == UNKNOWN) {
            long retiring = session.number("SELECT coalesce(max(row), 0) FROM retired_run");
            newestRow = Math.max(retiring, session.number("SELECT coalesce(max(row), 0) FROM run"));
            someRetire = retiring > 0;
        }
    }
}
