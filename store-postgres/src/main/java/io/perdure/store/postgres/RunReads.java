package io.perdure.store.postgres;

import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.core.store.RunSnapshot.RunMessage;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunCount;
import io.perdure.store.postgres.Session.Read;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads runs, their histories and their mailboxes. */
final class RunReads {
    static final String COLUMNS = """
            SELECT tenant, id, workflow, version_named, version, kind, status, input, writes, output, error,
                   idempotency_key, workflow_id, parent, tags, retention_days, wakes, deadline, started_at, completed_at
            FROM perdure.run
            """;

    private static final String RUNS = COLUMNS + "WHERE id = ANY (?) AND tenant = ?";

    private static final String HISTORY = """
            SELECT seq, at, until, event FROM perdure.event WHERE run = ? AND tenant = ? AND seq >= ?
            ORDER BY seq LIMIT ?""";

    private static final String HISTORIES = """
            SELECT e.seq, e.at, e.until, e.event, e.run FROM unnest(?::uuid[]) r (id), LATERAL (
                SELECT * FROM perdure.event WHERE run = r.id AND tenant = ? ORDER BY seq) e""";

    private static final String MAILBOXES = """
            SELECT s.run, s.number, s.event, s.payload, s.at FROM unnest(?::uuid[]) r (id), LATERAL (
                SELECT * FROM perdure.signal WHERE run = r.id AND tenant = ? ORDER BY number) s""";

    private static final String MESSAGES = """
            SELECT m.run, m.queue, m.ready_at, m.wake_on,
                   m.token IS NOT NULL AND m.ready_at > c.now AND m.ready_at <= c.now + 2 * m.lease_micros
            FROM (SELECT perdure.clock_1() AS now OFFSET 0) c, unnest(?::uuid[]) r (id), LATERAL (
                SELECT * FROM perdure.run_message WHERE run = r.id AND tenant = ? LIMIT 1) m""";

    private final Session session;

    RunReads(Session session) {
        this.session = session;
    }

    Optional<RunRow> run(TenantId tenant, RunId run) throws SQLException {
        return session.first(COLUMNS + "WHERE id = ? AND tenant = ?", RunReads::row, run.value(), tenant.value());
    }

    /** Four statements in one round trip, however many runs; the caller's transaction is one snapshot. */
    List<RunSnapshot> snapshots(TenantId tenant, List<RunId> runs) throws SQLException {
        UUID[] ids = runs.stream().map(RunId::value).distinct().toArray(UUID[]::new);
        Map<UUID, RunRow> rows = new HashMap<>();
        Map<UUID, List<Recorded>> histories = new HashMap<>();
        Map<UUID, List<MailboxEntry>> mailboxes = new HashMap<>();
        Map<UUID, RunMessage> messages = new HashMap<>();
        List<Object> asked = List.of(ids, tenant.value());
        session.readAll(
                new Read(RUNS, row -> rows.put(row.uuid(2), row(row)), asked),
                new Read(HISTORIES, row -> of(histories, row.uuid(5)).add(recorded(row)), asked),
                new Read(MAILBOXES, row -> of(mailboxes, row.uuid(1)).add(letter(row)), asked),
                new Read(MESSAGES, row -> messages.put(row.uuid(1), message(row)), asked));
        rows.forEach((id, row) -> of(histories, id).addFirst(created(row)));
        return runs.stream()
                .map(RunId::value)
                .filter(rows::containsKey)
                .map(id -> new RunSnapshot(
                        Objects.requireNonNull(rows.get(id)), of(histories, id), of(mailboxes, id), messages.get(id)))
                .toList();
    }

    private static MailboxEntry letter(Row row) throws SQLException {
        return new MailboxEntry(row.integer(2), new EventName(row.text(3)), row.json(4), row.time(5));
    }

    private static <T> List<T> of(Map<UUID, List<T>> lists, UUID id) {
        return lists.computeIfAbsent(id, _ -> new ArrayList<>());
    }

    List<Recorded> history(TenantId tenant, RunId run, long from, int limit) throws SQLException {
        Optional<RunRow> row = run(tenant, run);
        if (row.isEmpty()) {
            return List.of();
        }
        List<Recorded> events = new ArrayList<>();
        if (from <= 0) {
            events.add(created(row.get()));
        }
        events.addAll(
                session.list(HISTORY, RunReads::recorded, run.value(), tenant.value(), from, limit - events.size()));
        return events;
    }

    static Recorded recorded(Row row) throws SQLException {
        return new Recorded(row.integer(1), row.time(2), row.timeOrNull(3), EventJson.read(row.json(4)));
    }

    private static Recorded created(RunRow run) {
        Definition definition = run.definition();
        Event created = new Event.RunCreated(
                definition.workflow(),
                definition.version(),
                definition.kind(),
                definition.input(),
                definition.writes(),
                run.idempotencyKey(),
                run.workflowId(),
                run.parent(),
                run.tags());
        return new Recorded(0, run.startedAt(), run.deadline(), created);
    }

    /** The first event of each run, which lives in its row. */
    Map<RunId, Recorded> created(TenantId tenant, UUID[] runs) throws SQLException {
        return session.list(RUNS, RunReads::row, runs, tenant.value()).stream()
                .collect(Collectors.toMap(RunRow::id, RunReads::created));
    }

    private static RunMessage message(Row row) throws SQLException {
        Set<EventName> wakeOn = Arrays.stream(row.texts(4))
                .map(name -> new EventName(Objects.requireNonNull(name)))
                .collect(Collectors.toUnmodifiableSet());
        return new RunMessage(new QueueName(row.text(2)), row.time(3), row.flag(5), wakeOn);
    }

    List<RunCount> counts(TenantId tenant) throws SQLException {
        return session
                .list(
                        """
                        SELECT workflow, status, sum(runs) FROM perdure.run_count WHERE tenant = ?
                        GROUP BY workflow, status HAVING sum(runs) > 0""",
                        row -> new RunCount(new WorkflowName(row.text(1)), Answers.status(row.text(2)), row.integer(3)),
                        tenant.value())
                .stream()
                .sorted(Comparator.comparing(
                                (RunCount count) -> count.workflow().value())
                        .thenComparing(RunCount::status))
                .toList();
    }

    static RunRow row(Row row) throws SQLException {
        Definition definition = new Definition(
                new WorkflowName(row.text(3)),
                row.smallOrNull(4),
                orNull(row.textOrNull(6), RunKind::valueOf),
                row.json(8),
                Texts.values(row.textOrNull(9)));
        return new RunRow(
                new TenantId(row.text(1)),
                new RunId(row.uuid(2)),
                definition,
                row.smallOrNull(5),
                Answers.status(row.text(7)),
                row.jsonOrNull(10),
                orNull(row.textOrNull(11), text -> Failure.read(Json.ofStored(text))),
                orNull(row.textOrNull(12), IdempotencyKey::new),
                orNull(row.textOrNull(13), WorkflowId::new),
                orNull(row.uuidOrNull(14), RunId::new),
                Texts.map(row.textOrNull(15)),
                row.small(16),
                row.integer(17),
                row.timeOrNull(18),
                row.time(19),
                row.timeOrNull(20));
    }

    static <A, B> @Nullable B orNull(@Nullable A value, Function<A, B> made) {
        return value == null ? null : made.apply(value);
    }
}
