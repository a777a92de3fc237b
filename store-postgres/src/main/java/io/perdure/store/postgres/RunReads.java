package io.perdure.store.postgres;

import io.perdure.core.store.MailboxPage;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunCount;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
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

    static final String RUNS = COLUMNS + "WHERE id = ANY (?) AND tenant = ?";

    /** The sum goes over a page of rows at most, and no large value is fetched for its length. */
    private static final String HISTORY = """
            SELECT seq, at, until, event FROM (
                SELECT e.*, octet_length(e.event) AS own,
                       sum(octet_length(e.event)) OVER (ORDER BY e.seq ROWS UNBOUNDED PRECEDING) AS total
                FROM (SELECT seq, at, until, event FROM perdure.event WHERE run = ? AND tenant = ? AND seq >= ?
                      ORDER BY seq LIMIT ?) e) e
            WHERE total <= ? OR (? AND total = own) ORDER BY seq""";

    private static final String WAKES = "SELECT wakes FROM perdure.run WHERE id = ? AND tenant = ?";

    private static final String MAILBOX = """
            SELECT number, event, payload, at, whole FROM (
                SELECT s.number, s.event, s.payload, s.at, count(*) OVER () AS whole, octet_length(s.payload) AS own,
                       sum(octet_length(s.payload)) OVER (ORDER BY s.number ROWS UNBOUNDED PRECEDING) AS total
                FROM perdure.signal s WHERE s.run = ? AND s.tenant = ? AND s.number >= ?) s
            WHERE total <= ? OR total = own ORDER BY number""";

    private final Session session;

    RunReads(Session session) {
        this.session = session;
    }

    Optional<RunRow> run(TenantId tenant, RunId run) throws SQLException {
        return session.first(COLUMNS + "WHERE id = ? AND tenant = ?", RunReads::row, run.value(), tenant.value());
    }

    List<Recorded> history(TenantId tenant, RunId run, long from, int limit, long bytes) throws SQLException {
        Optional<RunRow> row = run(tenant, run);
        if (row.isEmpty()) {
            return List.of();
        }
        List<Recorded> events = new ArrayList<>();
        long left = bytes;
        boolean first = from > 0;
        if (!first) {
            events.add(created(row.get()));
            left -= row.get().definition().input().text().length();
        }
        events.addAll(session.list(
                HISTORY, RunReads::recorded, run.value(), tenant.value(), from, limit - events.size(), left, first));
        return events;
    }

    Optional<MailboxPage> mailbox(TenantId tenant, RunId run, long from, long bytes) throws SQLException {
        Optional<Long> wakes = session.first(WAKES, row -> row.integer(1), run.value(), tenant.value());
        if (wakes.isEmpty()) {
            return Optional.empty();
        }
        AtomicLong whole = new AtomicLong();
        List<MailboxEntry> entries = session.list(
                MAILBOX,
                row -> {
                    whole.set(row.integer(5));
                    return new MailboxEntry(row.integer(1), new EventName(row.text(2)), row.json(3), row.time(4));
                },
                run.value(),
                tenant.value(),
                from,
                bytes);
        return Optional.of(new MailboxPage(wakes.get(), entries, entries.size() < whole.get()));
    }

    static Recorded recorded(Row row) throws SQLException {
        return new Recorded(row.integer(1), row.time(2), row.timeOrNull(3), EventJson.read(row.json(4)));
    }

    static Recorded created(RunRow run) {
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

    List<RunCount> counts(TenantId tenant) throws SQLException {
        return session
                .list(
                        "SELECT workflow, status, runs FROM perdure.run_counts_1(?) WHERE runs > 0",
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
