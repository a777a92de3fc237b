package io.perdure.store.postgres;

import io.perdure.core.store.Fitting;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.core.store.RunSnapshot.RunMessage;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.store.postgres.Session.Read;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads all there is of some runs of one tenant, as far as it fits into a bound. The caller's transaction is one snapshot. For one call.
 *
 * <p>The driver holds every row of an answer in memory, so the server must not send more than fits. Adding up lengths before reading would scan each
 * history twice, and most runs are small. So the first four statements, one round trip, send at most {@link #ROWS} events and signals, and leave out
 * long values and what would exceed the bound. That is all there is of most runs. Only what was cut is measured, and read as far as it fits.
 */
final class Snapshots {
    /** Most events, and most signals, that are sent before anything was measured. */
    private static final int ROWS = 4_000;

    private static final int VALUE = 8 * 1024;

    /** Most characters of input and scratchpad that a run is read with before it was measured. */
    private static final int INPUT = 64 * 1024;

    private static final String SMALL_RUNS = RunReads.RUNS
            + " AND octet_length(input) + coalesce(octet_length(writes), 0) + coalesce(octet_length(output), 0) <= "
            + INPUT;

    private static final String HISTORIES = """
            SELECT e.run, e.seq, e.at, e.until, e.event FROM unnest(?::uuid[]) r (id), LATERAL (
                SELECT * FROM perdure.event WHERE run = r.id AND tenant = ? ORDER BY seq) e""";

    static final String CUT_HISTORIES = """
            SELECT e.run, e.seq, e.at, e.until, CASE WHEN %s THEN e.event END
            FROM (SELECT e.* FROM unnest(?::uuid[]) r (id), LATERAL (
                SELECT * FROM perdure.event WHERE run = r.id AND tenant = ? ORDER BY seq) e LIMIT %s) e""".formatted(fits("e.event"), ROWS);

    private static final String MAILBOXES = """
            SELECT s.run, s.number, s.event, s.at, s.payload FROM unnest(?::uuid[]) r (id), LATERAL (
                SELECT * FROM perdure.signal WHERE run = r.id AND tenant = ? ORDER BY number) s""";

    static final String CUT_MAILBOXES = """
            SELECT s.run, s.number, s.event, s.at, CASE WHEN %s THEN s.payload END
            FROM (SELECT s.* FROM unnest(?::uuid[]) r (id), LATERAL (
                SELECT * FROM perdure.signal WHERE run = r.id AND tenant = ? ORDER BY number) s LIMIT %s) s""".formatted(fits("s.payload"), ROWS);

    private static final String MESSAGES = """
            SELECT m.run, m.queue, m.ready_at, m.wake_on,
                   m.token IS NOT NULL AND m.ready_at > c.now
            FROM (SELECT perdure.clock_1() AS now OFFSET 0) c, unnest(?::uuid[]) r (id), LATERAL (
                SELECT * FROM perdure.run_message WHERE run = r.id AND tenant = ? LIMIT 1) m""";

    private static final String SIZES = """
            SELECT r.id, octet_length(r.input) + coalesce(octet_length(r.writes), 0)
                   + coalesce((SELECT sum(octet_length(e.event)) FROM perdure.event e WHERE e.run = r.id AND e.tenant = r.tenant), 0)
                   + coalesce((SELECT sum(octet_length(s.payload)) FROM perdure.signal s WHERE s.run = r.id AND s.tenant = r.tenant), 0)
            FROM perdure.run r WHERE r.id = ANY (?) AND r.tenant = ?""";

    private final Session session;
    private final TenantId tenant;
    private final Map<UUID, Found> found = new HashMap<>();
    private final Map<UUID, RunMessage> messages = new HashMap<>();

    Snapshots(Session session, TenantId tenant) {
        this.session = session;
        this.tenant = tenant;
    }

    /** A value is sent if it is not long, and if the values before it and itself are within the bound, a parameter, together. */
    private static String fits(String value) {
        String size = "octet_length(" + value + ")";
        return "%s <= %s AND sum(%s) FILTER (WHERE %s <= %s) OVER (ROWS UNBOUNDED PRECEDING) <= ?"
                .formatted(size, VALUE, size, size, VALUE);
    }

    /** What was read of one run. */
    private static final class Found {
        private @Nullable RunRow run;
        private final List<Recorded> history = new ArrayList<>();
        private final List<MailboxEntry> mailbox = new ArrayList<>();
        private long bytes;

        /** Whether a value was left out for its length. */
        private boolean cut;
    }

    /** Reads those runs that fit, in the order asked; those that are not there are left out. */
    SizedSnapshots read(List<RunId> runs, long bytes) throws SQLException {
        Set<UUID> asked = runs.stream().map(RunId::value).collect(Collectors.toCollection(LinkedHashSet::new));
        Map<RunId, Long> sizes = new HashMap<>();
        if (bytes == Long.MAX_VALUE) {
            contents(asked);
        } else {
            Set<UUID> cut = small(asked, bytes);
            if (!cut.isEmpty()) {
                measure(cut, sizes);
            }
            found.forEach((id, one) -> sizes.put(new RunId(id), one.bytes));
            Fitting fitting = new Fitting(bytes);
            asked.removeIf(id -> !fitting.fits(sizes.getOrDefault(new RunId(id), Long.MAX_VALUE)));
            found.keySet().retainAll(asked);
            asked.retainAll(cut);
            contents(asked);
        }
        found.forEach((id, one) -> sizes.putIfAbsent(new RunId(id), one.bytes));
        List<RunSnapshot> read = runs.stream()
                .map(run -> found.get(run.value()))
                .filter(Objects::nonNull)
                .map(this::snapshot)
                .toList();
        return new SizedSnapshots(read, sizes);
    }

    /** Reads runs as far as they are small; returns those that may have more than was read. */
    private Set<UUID> small(Set<UUID> ids, long bytes) throws SQLException {
        List<Object> asked = asked(ids);
        List<Object> askedWithin =
                Stream.concat(Stream.of(bytes), asked.stream()).toList();
        Rows events = new Rows(this::event);
        Rows letters = new Rows(this::letter);
        session.readAll(
                new Read(SMALL_RUNS, this::run, asked),
                new Read(CUT_HISTORIES, events::read, askedWithin),
                new Read(CUT_MAILBOXES, letters::read, askedWithin),
                new Read(MESSAGES, this::message, asked));
        Set<UUID> cut = new LinkedHashSet<>();
        boolean past = false;
        for (UUID id : ids) {
            Found one = found.get(id);
            // Rows come in the order asked for: whose row is the last, and who comes after it, may have more.
            past |= events.endWith(id) || letters.endWith(id);
            if (one == null || one.run == null || one.cut || past) {
                found.remove(id);
                cut.add(id);
            }
        }
        return cut;
    }

    /** The rows of one statement that has a limit. */
    private static final class Rows {
        private final Session.Reader reader;
        private int count;
        private @Nullable UUID last;

        Rows(Session.Reader reader) {
            this.reader = reader;
        }

        void read(Row row) throws SQLException {
            count++;
            if (count == ROWS) {
                last = row.uuid(1);
            }
            reader.read(row);
        }

        /** Whether the limit was met at this run. */
        boolean endWith(UUID run) {
            return run.equals(last);
        }
    }

    private void measure(Set<UUID> ids, Map<RunId, Long> sizes) throws SQLException {
        List<Object> asked = asked(ids);
        session.readAll(new Read(SIZES, row -> sizes.put(new RunId(row.uuid(1)), row.integer(2)), asked));
    }

    /** Reads all there is, which was measured. */
    private void contents(Set<UUID> ids) throws SQLException {
        if (ids.isEmpty()) {
            return;
        }
        List<Object> asked = asked(ids);
        session.readAll(
                new Read(RunReads.RUNS, this::run, asked),
                new Read(HISTORIES, this::event, asked),
                new Read(MAILBOXES, this::letter, asked),
                new Read(MESSAGES, this::message, asked));
        found.values().removeIf(one -> one.run == null);
    }

    private List<Object> asked(Set<UUID> ids) {
        return List.of(ids.toArray(UUID[]::new), tenant.value());
    }

    private Found of(UUID run) {
        return found.computeIfAbsent(run, _ -> new Found());
    }

    private void run(Row row) throws SQLException {
        RunRow run = RunReads.row(row);
        Found one = of(run.id().value());
        one.run = run;
        one.history.addFirst(RunReads.created(run));
        String writes = row.textOrNull(9);
        one.bytes += run.definition().input().text().length() + (writes == null ? 0 : writes.length());
    }

    private void event(Row row) throws SQLException {
        Found one = of(row.uuid(1));
        Json event = row.jsonOrNull(5);
        if (event == null) {
            one.cut = true;
        } else if (!one.cut) {
            one.history.add(new Recorded(row.integer(2), row.time(3), row.timeOrNull(4), EventJson.read(event)));
            one.bytes += event.text().length();
        }
    }

    private void letter(Row row) throws SQLException {
        Found one = of(row.uuid(1));
        Json payload = row.jsonOrNull(5);
        if (payload == null) {
            one.cut = true;
        } else if (!one.cut) {
            one.mailbox.add(new MailboxEntry(row.integer(2), new EventName(row.text(3)), payload, row.time(4)));
            one.bytes += payload.text().length();
        }
    }

    private void message(Row row) throws SQLException {
        Set<EventName> wakeOn = Arrays.stream(row.texts(4))
                .map(name -> new EventName(Objects.requireNonNull(name)))
                .collect(Collectors.toUnmodifiableSet());
        messages.put(row.uuid(1), new RunMessage(new QueueName(row.text(2)), row.time(3), row.flag(5), wakeOn));
    }

    private static UUID id(Found one) {
        return Objects.requireNonNull(one.run).id().value();
    }

    private RunSnapshot snapshot(Found one) {
        return new RunSnapshot(Objects.requireNonNull(one.run), one.history, one.mailbox, messages.get(id(one)));
    }
}
