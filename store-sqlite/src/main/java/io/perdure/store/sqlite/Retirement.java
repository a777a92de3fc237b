package io.perdure.store.sqlite;

import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Removes ended runs whose retention is over, in {@linkplain Turn transactions of bounded size}. A run disappears at once: its row
 * and tags go in one transaction, and with them all that it has if that is little. Otherwise its row number is noted in {@code
 * retired_run}, and events, mailbox and keys go afterwards. No reader finds them: every read begins at the row of the run.
 *
 * <p>The events of all noted runs go in the order in which they lie in the file. Runs that went on side by side share pages; run
 * by run, each of those pages would be written again for each of the runs.
 */
final class Retirement {
    /** A run that has no more than this many events, signals and keys each goes whole. */
    static final int LIGHT = 20;

    /** One sweep stops after the run that brings the events that are left to remove to this number. */
    static final int MOST_EVENTS = 100_000;

    private static final int PAGE = 32;

    private static final String RETIRED = """
            SELECT r.tenant, r.id, r.workflow, r.status, r.row, r.tags, r.started_at,
                   (SELECT max(seq) FROM event e WHERE e.run = r.row)
            FROM run r WHERE r.retires_at < ? ORDER BY r.retires_at, r.id LIMIT ?""";

    private static final String UNTAG =
            "DELETE FROM run_tag WHERE tenant = ? AND name = ? AND value = ? AND started_at = ? AND run = ?";

    private static final String NOTE = "INSERT INTO retired_run (row, tenant, id) VALUES (?, ?, ?)";

    private static final String SIGNALS = """
            DELETE FROM signal WHERE tenant = ?1 AND run = ?2 AND number IN (
                SELECT number FROM signal WHERE tenant = ?1 AND run = ?2 ORDER BY number LIMIT ?3)""";

    static final String EVENTS_LEFT = """
            SELECT e.row FROM retired_run t CROSS JOIN event e INDEXED BY event_by_run ON e.run = t.row
            ORDER BY t.row, e.seq LIMIT\s""" + MOST_EVENTS;

    /** Compares the run, because the number of an event that is gone may belong to another one by now. */
    static final ManyRows REMOVE_EVENTS =
            new ManyRows(0, "DELETE FROM event WHERE +run IN (SELECT row FROM retired_run) AND row IN (", "?", ")");

    private static final String WITHOUT_EVENTS = """
            SELECT t.row, t.tenant, t.id FROM retired_run t
            WHERE NOT EXISTS (SELECT 1 FROM event e WHERE e.run = t.row) ORDER BY t.row LIMIT ?""";

    private record Retired(
            TenantId tenant,
            RunId run,
            WorkflowName workflow,
            RunStatus status,
            long row,
            Map<String, String> tags,
            Instant startedAt,
            long last) {
        static Retired of(Row row) throws SQLException {
            return new Retired(
                    new TenantId(row.text(1)),
                    new RunId(row.uuid(2)),
                    new WorkflowName(row.text(3)),
                    RunFacts.status(row.text(4)),
                    row.integer(5),
                    Texts.map(row.textOrNull(6)),
                    row.time(7),
                    row.integer(8));
        }
    }

    private record Noted(
            long row, TenantId tenant, @Nullable UUID run) {
        static Noted of(Row row) throws SQLException {
            return new Noted(row.integer(1), new TenantId(row.text(2)), row.uuidOrNull(3));
        }
    }

    /**
     * What one transaction took out of sight.
     *
     * @param events those that are left to remove
     * @param more whether there are other runs whose retention is over
     */
    record Taken(int runs, long events, boolean more) {}

    private final Transaction transaction;
    private final Session session;

    Retirement(Transaction transaction) {
        this.transaction = transaction;
        this.session = transaction.session;
    }

    /** Removes at most {@code limit} runs; returns how many. Stops short of that where they have many events. */
    static int sweep(Writer writer, Readers readers, int limit) {
        int runs = 0;
        long events = 0;
        boolean more = true;
        while (more && runs < limit && events < MOST_EVENTS) {
            int left = limit - runs;
            Taken taken = writer.write(transaction -> new Retirement(transaction).take(left));
            runs += taken.runs();
            events += taken.events();
            more = taken.more();
        }
        removeWhatIsLeft(writer, readers);
        return runs;
    }

    /** Also removes what a sweep left that was broken off. */
    private static void removeWhatIsLeft(Writer writer, Readers readers) {
        List<Long> events = eventsLeft(readers);
        while (!events.isEmpty()) {
            for (int from = 0; from < events.size(); ) {
                List<Long> left = events.subList(from, events.size());
                from += writer.write(transaction -> new Retirement(transaction).removeEvents(left));
            }
            events = eventsLeft(readers);
        }
        boolean more = readers.read(session -> session.number("SELECT EXISTS (SELECT 1 FROM retired_run)") == 1);
        while (more) {
            more = writer.write(transaction -> new Retirement(transaction).removeNoted());
        }
    }

    private static List<Long> eventsLeft(Readers readers) {
        return readers.read(session -> session.list(EVENTS_LEFT, row -> row.integer(1))).stream()
                .sorted()
                .toList();
    }

    private Taken take(int limit) {
        Turn turn = new Turn();
        int runs = 0;
        long events = 0;
        while (runs < limit && events < MOST_EVENTS && !turn.isOver()) {
            int asked = Math.min(PAGE, limit - runs);
            List<Retired> page = session.list(RETIRED, Retired::of, transaction.now(), asked);
            for (Retired run : page) {
                if (!turn.isOver() && events < MOST_EVENTS) {
                    events += take(run, turn);
                    runs++;
                }
            }
            if (page.size() < asked && !turn.isOver()) {
                return new Taken(runs, events, false);
            }
        }
        return new Taken(runs, events, true);
    }

    /** Takes a run out of sight; returns how many of its events are left to remove. */
    private long take(Retired run, Turn turn) {
        String tenant = run.tenant().value();
        UUID id = run.run().value();
        run.tags().forEach((name, value) -> session.update(UNTAG, tenant, name, value, run.startedAt(), id));
        session.update("DELETE FROM run WHERE row = ?", run.row());
        transaction.countRun(run.tenant(), run.workflow(), run.status(), -1);
        boolean light = run.last() <= LIGHT;
        int events = light ? session.update("DELETE FROM event WHERE run = ?", run.row()) : 0;
        int signals = session.update(SIGNALS, tenant, id, LIGHT);
        int keys = new Keys(transaction).freeSome(run.tenant(), id, LIGHT);
        if (!light || signals == LIGHT || keys == LIGHT) {
            session.update(NOTE, run.row(), tenant, id);
            transaction.held.forgetRows();
        }
        turn.removed(1 + run.tags().size() + events + signals + keys);
        return light ? 0 : run.last();
    }

    /** Removes the first of these events, as far as their runs were taken out of sight; returns how many were looked at. */
    int removeEvents(List<Long> events) {
        Turn turn = new Turn();
        int gone = 0;
        while (gone < events.size() && !turn.isOver()) {
            List<Long> next = events.subList(gone, Math.min(events.size(), gone + turn.next()));
            REMOVE_EVENTS.each(List.of(), next, (sql, values, _) -> session.update(sql, values));
            turn.removed(next.size());
            gone += next.size();
        }
        return gone;
    }

    /** Removes mailboxes and keys of runs whose events are gone, then the notes; returns whether there are more. */
    private boolean removeNoted() {
        Turn turn = new Turn();
        List<Noted> page = session.list(WITHOUT_EVENTS, Noted::of, PAGE);
        for (Noted noted : page) {
            if (!removeSignalsAndKeys(noted, turn)) {
                return true;
            }
            turn.removed(session.update("DELETE FROM retired_run WHERE row = ?", noted.row()));
        }
        transaction.held.forgetRows();
        return page.size() == PAGE;
    }

    /** Returns whether all of them are gone. */
    private boolean removeSignalsAndKeys(Noted noted, Turn turn) {
        UUID run = noted.run();
        while (run != null) {
            if (turn.isOver()) {
                return false;
            }
            int asked = turn.next();
            int signals = session.update(SIGNALS, noted.tenant().value(), run, asked);
            int keys = signals < asked ? new Keys(transaction).freeSome(noted.tenant(), run, asked - signals) : 0;
            turn.removed(signals + keys);
            if (signals + keys < asked) {
                return true;
            }
        }
        return true;
    }

    /** Removes at once the mailbox and keys of a run that was taken out of sight, because another one begins under its id. */
    void makeWayFor(TenantId tenant, RunId run) {
        session.update("DELETE FROM signal WHERE tenant = ? AND run = ?", tenant.value(), run.value());
        session.update(
                "DELETE FROM claimed_key WHERE tenant = ? AND holder = ? AND expires_at IS NULL",
                tenant.value(),
                run.value());
        session.update("UPDATE retired_run SET id = NULL WHERE id = ? AND tenant = ?", run.value(), tenant.value());
    }
}
