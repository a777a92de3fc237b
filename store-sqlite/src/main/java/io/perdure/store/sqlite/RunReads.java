package io.perdure.store.sqlite;

import io.perdure.core.store.Fitting;
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
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunCount;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads runs, their histories and their mailboxes. */
final class RunReads {
    static final String COLUMNS = """
            SELECT tenant, id, workflow, version_named, version, kind, status, input, writes,
                   CASE status WHEN 'completed'
                   THEN (SELECT event FROM event e WHERE e.run = run.row ORDER BY seq DESC LIMIT 1) END,
                   error, idempotency_key, workflow_id, parent, tags, retention_days, wakes, deadline, started_at,
                   completed_at
            FROM run
            """;

    private static final String HISTORY = """
            SELECT seq, at, until, event FROM event
            WHERE run = (SELECT row FROM run WHERE tenant = ? AND id = ?) AND seq >= ? ORDER BY seq""";

    private static final String WAKES = "SELECT wakes FROM run WHERE tenant = ? AND id = ?";

    private static final String MAILBOX = """
            SELECT number, event, payload, at FROM signal WHERE tenant = ? AND run = ? AND number >= ? ORDER BY number""";

    private final Session session;

    RunReads(Session session) {
        this.session = session;
    }

    Optional<RunRow> run(TenantId tenant, RunId run) {
        return session.first(COLUMNS + "WHERE tenant = ? AND id = ?", RunReads::row, tenant.value(), run.value());
    }

    List<Recorded> history(TenantId tenant, RunId run, long from, int limit, long bytes) {
        return run(tenant, run).map(row -> history(row, from, limit, bytes)).orElse(List.of());
    }

    private List<Recorded> history(RunRow run, long from, int limit, long bytes) {
        List<Recorded> events = new ArrayList<>();
        Fitting fitting = new Fitting(bytes);
        if (from <= 0) {
            fitting.fitsPage(run.definition().input().text().length());
            events.add(created(run));
        }
        session.each(
                HISTORY + Session.limit(limit - events.size()),
                row -> {
                    Json event = row.json(4);
                    boolean added = fitting.fitsPage(event.text().length());
                    if (added) {
                        events.add(new Recorded(row.integer(1), row.time(2), row.timeOrNull(3), EventJson.read(event)));
                    }
                    return added;
                },
                run.tenant().value(),
                run.id().value(),
                from);
        return events;
    }

    Optional<MailboxPage> mailbox(TenantId tenant, RunId run, long from, long bytes) {
        return session.first(WAKES, row -> row.integer(1), tenant.value(), run.value())
                .map(wakes -> mailbox(tenant, run, from, bytes, wakes));
    }

    private MailboxPage mailbox(TenantId tenant, RunId run, long from, long bytes, long wakes) {
        List<MailboxEntry> entries = new ArrayList<>();
        Fitting fitting = new Fitting(bytes);
        boolean whole = session.each(
                MAILBOX,
                row -> {
                    Json payload = row.json(3);
                    boolean added = fitting.fitsPage(payload.text().length());
                    if (added) {
                        entries.add(new MailboxEntry(row.integer(1), new EventName(row.text(2)), payload, row.time(4)));
                    }
                    return added;
                },
                tenant.value(),
                run.value(),
                from);
        return new MailboxPage(wakes, entries, !whole);
    }

    static Recorded created(RunRow run) {
        Event created = new Event.RunCreated(
                run.definition().workflow(),
                run.definition().version(),
                run.definition().kind(),
                run.definition().input(),
                run.definition().writes(),
                run.idempotencyKey(),
                run.workflowId(),
                run.parent(),
                run.tags());
        return new Recorded(0, run.startedAt(), run.deadline(), created);
    }

    List<RunCount> counts(TenantId tenant) {
        return session
                .list(
                        "SELECT workflow, status, runs FROM run_count WHERE tenant = ? AND runs > 0",
                        row -> new RunCount(
                                new WorkflowName(row.text(1)), RunFacts.status(row.text(2)), row.integer(3)),
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
        Instant startedAt = row.time(19);
        RunStatus status = RunFacts.status(row.text(7));
        return new RunRow(
                new TenantId(row.text(1)),
                new RunId(row.uuid(2)),
                definition,
                row.smallOrNull(5),
                status,
                orNull(row.jsonOrNull(10), RunReads::output),
                orNull(row.textOrNull(11), text -> Failure.read(Json.ofStored(text))),
                orNull(row.textOrNull(12), IdempotencyKey::new),
                orNull(row.textOrNull(13), WorkflowId::new),
                orNull(row.uuidOrNull(14), RunId::new),
                Texts.map(row.textOrNull(15)),
                row.small(16),
                row.integer(17),
                row.timeOrNull(18),
                startedAt,
                row.timeOrNull(20));
    }

    /** The result that the last event of a completed run tells; it is kept only there. */
    private static Json output(Json event) {
        if (EventJson.read(event) instanceof Event.RunCompleted(Json result)) {
            return result;
        }
        throw new IllegalStateException("the last event of a completed run is another");
    }

    private static <A, B> @Nullable B orNull(@Nullable A value, Function<A, B> made) {
        return value == null ? null : made.apply(value);
    }
}
