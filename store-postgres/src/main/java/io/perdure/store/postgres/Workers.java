package io.perdure.store.postgres;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.rows.ServedText;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.run.LiveWorker;
import java.sql.SQLException;
import java.util.List;

/** Which workers are alive, as they said. One whose time is over is as good as not there. */
final class Workers {
    private static final String ANNOUNCE = "SELECT perdure.announce_1(?, ?, ?, ?, ?, ?)";
    private static final String WITHDRAW = "DELETE FROM perdure.worker WHERE tenant = ? AND process = ?";

    private static final String ALIVE = """
            SELECT process, name, served, concurrency, since, until FROM perdure.worker
            WHERE tenant = ? AND until > (SELECT perdure.clock_1())""";

    private final Session session;

    Workers(Session session) {
        this.session = session;
    }

    int announce(Announcement worker) throws SQLException {
        return session.list(
                        ANNOUNCE,
                        _ -> worker,
                        worker.tenant().value(),
                        worker.process().value(),
                        worker.name(),
                        ServedText.of(worker.served()),
                        worker.concurrency(),
                        Documents.micros(worker.length()))
                .size();
    }

    int withdraw(TenantId tenant, ProcessId process) throws SQLException {
        return session.update(WITHDRAW, tenant.value(), process.value());
    }

    List<LiveWorker> alive(TenantId tenant) throws SQLException {
        return session.list(ALIVE, Workers::worker, tenant.value()).stream()
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
}
