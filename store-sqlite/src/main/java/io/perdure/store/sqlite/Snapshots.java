package io.perdure.store.sqlite;

import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.core.store.RunSnapshot.RunMessage;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Reads all there is of some runs of one tenant, many runs to a statement: within one transaction, so of one moment. */
final class Snapshots {
    private static final ManyRows RUNS = new ManyRows(1, RunReads.COLUMNS + "WHERE tenant = ?1 AND id IN (", "?", ")");

    private static final ManyRows EVENTS = new ManyRows(1, """
            SELECT r.id, e.seq, e.at, e.until, e.event FROM run r CROSS JOIN event e ON e.run = r.row
            WHERE r.tenant = ?1 AND r.id IN (""", "?", ") ORDER BY r.id, e.seq");

    private static final ManyRows MAILBOXES = new ManyRows(1, """
            SELECT run, number, event, payload, at FROM signal
            WHERE tenant = ?1 AND run IN (""", "?", ") ORDER BY run, number");

    private static final ManyRows MESSAGES = new ManyRows(1, """
            SELECT run, ready_at, queue, token, lease_nanos, wake_on FROM run_message
            WHERE tenant = ?1 AND run IN (""", "?", ")");

    private final Session session;
    private final TenantId tenant;
    private final Map<RunId, RunRow> rows = new HashMap<>();
    private final Map<RunId, List<Recorded>> histories = new HashMap<>();
    private final Map<RunId, List<MailboxEntry>> mailboxes = new HashMap<>();
    private final Map<RunId, RunMessage> messages = new HashMap<>();
    private final Map<String, QueueName> queues = new HashMap<>();

    Snapshots(Session session, TenantId tenant) {
        this.session = session;
        this.tenant = tenant;
    }

    /** Reads the runs in the order asked; those that are not there are left out. */
    List<RunSnapshot> read(List<RunId> runs, long nowMicros) {
        List<UUID> ids = runs.stream().map(RunId::value).distinct().toList();
        each(RUNS, ids, row -> {
            RunRow run = RunReads.row(row);
            rows.put(run.id(), run);
            histories.put(run.id(), new ArrayList<>(List.of(RunReads.created(run))));
            return run;
        });
        each(EVENTS, ids, row -> of(row, histories).add(recorded(row)));
        // A run that never had a signal, as most, has none waiting.
        List<UUID> signalled = rows.values().stream()
                .filter(run -> run.wakes() > 0)
                .map(run -> run.id().value())
                .toList();
        each(MAILBOXES, signalled, row -> of(row, mailboxes).add(entry(row)));
        each(MESSAGES, ids, row -> messages.put(new RunId(row.uuid(1)), message(row, nowMicros)));
        return runs.stream()
                .map(rows::get)
                .filter(Objects::nonNull)
                .map(this::snapshot)
                .toList();
    }

    private void each(ManyRows statement, List<UUID> ids, Session.Mapper<?> reader) {
        statement.each(List.of(tenant.value()), ids, (sql, values, _) -> session.list(sql, reader, values));
    }

    private RunSnapshot snapshot(RunRow run) {
        return new RunSnapshot(
                run,
                histories.getOrDefault(run.id(), List.of()),
                mailboxes.getOrDefault(run.id(), List.of()),
                messages.get(run.id()));
    }

    private static <T> List<T> of(Row row, Map<RunId, List<T>> lists) throws SQLException {
        return lists.computeIfAbsent(new RunId(row.uuid(1)), _ -> new ArrayList<>());
    }

    private static Recorded recorded(Row row) throws SQLException {
        return new Recorded(row.integer(2), row.time(3), row.timeOrNull(4), EventJson.read(row.json(5)));
    }

    private static MailboxEntry entry(Row row) throws SQLException {
        return new MailboxEntry(row.integer(2), new EventName(row.text(3)), row.json(4), row.time(5));
    }

    private RunMessage message(Row row, long nowMicros) throws SQLException {
        UUID token = row.token(4);
        boolean leased = token != null && !LeaseTimes.isAvailable(row.integer(2), token, row.integer(5), nowMicros);
        QueueName queue = queues.computeIfAbsent(row.text(3), QueueName::new);
        return new RunMessage(queue, row.time(2), leased, Texts.events(row.textOrNull(6)));
    }
}
