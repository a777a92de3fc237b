package io.perdure.store.sqlite;

import io.perdure.core.store.Fitting;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.core.store.RunSnapshot.RunMessage;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
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
            SELECT run, ready_at, queue, token, wake_on FROM run_message
            WHERE tenant = ?1 AND run IN (""", "?", ")");

    private static final ManyRows SIZES = new ManyRows(1, """
            SELECT r.id,
                   octet_length(r.input) + coalesce(octet_length(r.writes), 0)
                   + coalesce((SELECT sum(octet_length(e.event)) FROM event e WHERE e.run = r.row), 0)
                   + coalesce((SELECT sum(octet_length(s.payload)) FROM signal s WHERE s.tenant = r.tenant AND s.run = r.id), 0)
            FROM run r WHERE r.tenant = ?1 AND r.id IN (""", "?", ")");

    private final Session session;
    private final TenantId tenant;
    private final Map<RunId, Found> found = new HashMap<>();
    private final Map<RunId, RunMessage> messages = new HashMap<>();
    private final Map<String, QueueName> queues = new HashMap<>();
    private Fitting fitting = new Fitting(Long.MAX_VALUE);
    private boolean full;

    Snapshots(Session session, TenantId tenant) {
        this.session = session;
        this.tenant = tenant;
    }

    /** What was read of one run. */
    private static final class Found {
        private final RunRow run;
        private final List<Recorded> history = new ArrayList<>();
        private final List<MailboxEntry> mailbox = new ArrayList<>();
        private long bytes;

        Found(RunRow run) {
            this.run = run;
            history.add(RunReads.created(run));
        }
    }

    /**
     * Reads those runs that fit, in the order asked; those that are not there are left out. Sizes are asked for only once it turns out that not all fit:
     * rows are counted as they come, and most runs are small.
     */
    SizedSnapshots read(List<RunId> runs, long bytes, long nowMicros) {
        List<UUID> ids = runs.stream().map(RunId::value).distinct().toList();
        Map<RunId, Long> sizes = new HashMap<>();
        contents(ids, bytes);
        if (full) {
            found.clear();
            full = false;
            each(SIZES, ids, row -> {
                sizes.put(new RunId(row.uuid(1)), row.integer(2));
                return true;
            });
            contents(fitting(ids, sizes, bytes), Long.MAX_VALUE);
        } else {
            found.forEach((id, one) -> sizes.put(id, one.bytes));
        }
        List<UUID> read = found.keySet().stream().map(RunId::value).toList();
        each(MESSAGES, read, row -> {
            messages.put(new RunId(row.uuid(1)), message(row, nowMicros));
            return true;
        });
        List<RunSnapshot> snapshots = runs.stream()
                .map(found::get)
                .filter(Objects::nonNull)
                .map(one -> new RunSnapshot(one.run, one.history, one.mailbox, messages.get(one.run.id())))
                .toList();
        return new SizedSnapshots(snapshots, sizes);
    }

    private static List<UUID> fitting(List<UUID> ids, Map<RunId, Long> sizes, long bytes) {
        Fitting fitting = new Fitting(bytes);
        return ids.stream()
                .filter(id -> {
                    Long size = sizes.get(new RunId(id));
                    return size != null && fitting.fits(size);
                })
                .toList();
    }

    /** Reads runs, their histories and their mailboxes, until there are more bytes of them than may be. */
    private void contents(List<UUID> ids, long bytes) {
        fitting = new Fitting(bytes);
        full = false;
        each(RUNS, ids, row -> {
            Found one = new Found(RunReads.row(row));
            found.put(one.run.id(), one);
            return counted(one, one.run.definition().input().text().length() + row.length(9));
        });
        each(EVENTS, ids, row -> {
            Found one = of(row);
            Json event = row.json(5);
            one.history.add(new Recorded(row.integer(2), row.time(3), row.timeOrNull(4), EventJson.read(event)));
            return counted(one, event.text().length());
        });
        // A run that never had a signal, as most, has none waiting.
        List<UUID> signalled = found.values().stream()
                .filter(one -> one.run.wakes() > 0)
                .map(one -> one.run.id().value())
                .toList();
        each(MAILBOXES, signalled, row -> {
            Found one = of(row);
            MailboxEntry entry = new MailboxEntry(row.integer(2), new EventName(row.text(3)), row.json(4), row.time(5));
            one.mailbox.add(entry);
            return counted(one, entry.payload().text().length());
        });
    }

    private boolean counted(Found one, long bytes) {
        one.bytes += bytes;
        full = !fitting.fits(bytes);
        return !full;
    }

    private void each(ManyRows statement, List<UUID> ids, Session.Mapper<Boolean> reader) {
        statement.each(List.of(tenant.value()), ids, (sql, values, _) -> {
            if (!full) {
                session.each(sql, reader, values);
            }
        });
    }

    private Found of(Row row) throws SQLException {
        return Objects.requireNonNull(found.get(new RunId(row.uuid(1))));
    }

    private RunMessage message(Row row, long nowMicros) throws SQLException {
        UUID token = row.token(4);
        boolean leased = token != null && row.integer(2) > nowMicros;
        QueueName queue = queues.computeIfAbsent(row.text(3), QueueName::new);
        return new RunMessage(queue, row.time(2), leased, Texts.events(row.textOrNull(5)));
    }
}
