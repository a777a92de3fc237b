package io.perdure.store.sqlite;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.rows.ServedText;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.run.LiveWorker;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Which workers are alive, as they said. One whose time is over is as good as not there. */
final class Workers {
    private static final String ANNOUNCE = """
            INSERT INTO worker (tenant, process, name, served, concurrency, since, until) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE
            SET name = excluded.name, served = excluded.served, concurrency = excluded.concurrency, until = excluded.until,
                since = CASE WHEN until > excluded.since THEN since ELSE excluded.since END""";

    private static final String ALIVE =
            "SELECT process, name, served, concurrency, since, until FROM worker WHERE tenant = ? AND until > ?";

    private static final String SWEEP = """
            DELETE FROM worker WHERE (tenant, process) IN (
                SELECT tenant, process FROM worker WHERE until <= ? ORDER BY until, process, tenant LIMIT ?)""";

    private final Session session;

    Workers(Session session) {
        this.session = session;
    }

    void announce(Announcement worker, Instant now) {
        session.update(
                ANNOUNCE,
                worker.tenant().value(),
                worker.process().value(),
                worker.name(),
                ServedText.of(worker.served()),
                worker.concurrency(),
                now,
                Due.in(worker.length()).fixedAt(now));
    }

    void withdraw(TenantId tenant, ProcessId process) {
        session.update("DELETE FROM worker WHERE tenant = ? AND process = ?", tenant.value(), process.value());
    }

    List<LiveWorker> alive(TenantId tenant, Instant now) {
        return session.list(ALIVE, Workers::worker, tenant.value(), now).stream()
                .sorted(LiveWorker.ORDER)
                .toList();
    }

    private static LiveWorker worker(Row row) throws SQLException {
        return new LiveWorker(
                new ProcessId(row.uuid(1)),
                row.text(2),
                ServedText.read(row.text(3)),
                row.small(4),
                row.time(5),
                row.time(6));
    }

    int sweep(Instant now, int limit) {
        return session.update(SWEEP, now, limit);
    }
}
