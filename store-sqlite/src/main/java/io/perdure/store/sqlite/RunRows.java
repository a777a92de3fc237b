package io.perdure.store.sqlite;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Lease;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Gathers rows of runs, their messages and their events, and writes them many to a statement. Rows that share most values
 * share a statement.
 */
final class RunRows {
    private static final ManyRows BEGIN = new ManyRows(
            6, """
            INSERT INTO run (tenant, workflow, version_named, version, kind, status, retention_days, started_at,
                             row, id, input, writes, parent, tags, deadline)
            VALUES\s""", "(?1, ?2, ?3, ?3, ?4, 'running', ?5, ?6, ?, ?, ?, ?, ?, ?, ?)", " ON CONFLICT DO NOTHING");

    /** For runs without all that, as most are: binding nothing takes as long as binding something. */
    private static final ManyRows BEGIN_BARE =
            new ManyRows(6, """
            INSERT INTO run (tenant, workflow, version_named, version, kind, status, retention_days, started_at,
                             row, id, input)
            VALUES\s""", "(?1, ?2, ?3, ?3, ?4, 'running', ?5, ?6, ?, ?, ?)", " ON CONFLICT DO NOTHING");

    private static final ManyRows TAG = new ManyRows(1, """
            INSERT INTO run_tag (started_at, tenant, name, value, run)
            VALUES\s""", "(?1, ?, ?, ?, ?)", "");

    private static final ManyRows PUT_MESSAGE = new ManyRows(5, """
            INSERT INTO run_message (tenant, queue, ready_at, lease_nanos, remote, run, token)
            VALUES\s""", "(?1, ?2, ?3, ?4, ?5, ?, ?)", "");

    private static final ManyRows APPEND = new ManyRows(1, """
            INSERT INTO event (at, run, seq, event)
            VALUES\s""", "(?1, ?, ?, ?)", "");

    private static final ManyRows APPEND_TIMED = new ManyRows(1, """
            INSERT INTO event (at, run, seq, event, until)
            VALUES\s""", "(?1, ?, ?, ?, ?)", "");

    private static final ManyRows COMPLETE = new ManyRows(2, """
            UPDATE run SET status = 'completed', completed_at = ?1, retires_at = ?2 WHERE row IN (""", "?", ")");

    private static final ManyRows TAKE_MESSAGE =
            new ManyRows(1, "DELETE FROM run_message WHERE tenant = ?1 AND run IN (", "?", ")");

    private static final ManyRows RELEASE = new ManyRows(3, """
            UPDATE run_message
            SET token = zeroblob(16), lapses = CASE leased_at_seq WHEN ?3 THEN lapses ELSE 0 END, ready_at = ?1, wake_on = NULL
            WHERE tenant = ?2 AND run IN (""", "?", ")");

    /** Stands for the last event of a run whose count of lapsed leases starts anew whatever that event is: it waits for an event. */
    static final long PROGRESS = -1;

    private static final ManyRows HELD = new ManyRows(1, """
            SELECT r.id, r.row, r.workflow, r.version, r.retention_days, r.deadline,
                   r.parent IS NOT NULL OR r.workflow_id IS NOT NULL, m.token,
                   (SELECT max(seq) FROM event e WHERE e.run = r.row)
            FROM run_message m JOIN run r ON r.tenant = m.tenant AND r.id = m.run
            WHERE m.token <> zeroblob(16) AND m.tenant = ?1 AND m.run IN (""", "?", ")");

    /** What runs share that begin alike. */
    private record Kind(
            TenantId tenant,
            WorkflowName workflow,
            @Nullable Integer version,
            @Nullable RunKind kind,
            int retentionDays,
            boolean bare) {}

    /** The runs of one kind that begin. */
    record Beginning(TenantId tenant, WorkflowName workflow, QueueName queue, List<@Nullable Object> values) {}

    private record Wake(TenantId tenant, QueueName queue, Instant ready, long leaseNanos, boolean remote) {}

    private record Ending(TenantId tenant, WorkflowName workflow, int retentionDays) {}

    private record Pause(TenantId tenant, Instant ready, long last) {}

    private final Transaction transaction;
    private final Map<Kind, Beginning> beginnings = new LinkedHashMap<>();
    private final List<Object> tags = new ArrayList<>();
    private final Map<Wake, List<Object>> messages = new LinkedHashMap<>();
    private final List<Object> events = new ArrayList<>();
    private final List<Object> timedEvents = new ArrayList<>();
    private final Map<Ending, List<Long>> endings = new LinkedHashMap<>();
    private final Map<TenantId, List<UUID>> taken = new LinkedHashMap<>();
    private final Map<Pause, List<UUID>> released = new LinkedHashMap<>();

    RunRows(Transaction transaction) {
        this.transaction = transaction;
    }

    /** Brings what is known of held runs up to what the file says of these. */
    void readHeld(List<Advance> advances) {
        Map<TenantId, List<UUID>> runs = new LinkedHashMap<>();
        for (Advance advance : advances) {
            runs.computeIfAbsent(advance.tenant(), _ -> new ArrayList<>())
                    .add(advance.run().value());
        }
        runs.forEach((tenant, ids) -> HELD.each(
                List.of(tenant.value()),
                ids,
                (sql, values, _) -> transaction
                        .session
                        .list(sql, row -> held(tenant, row), values)
                        .forEach(transaction.held::remember)));
    }

    private static HeldRun held(TenantId tenant, Row row) throws SQLException {
        HeldRun.Traits traits = new HeldRun.Traits(
                new WorkflowName(row.text(3)), row.smallOrNull(4), row.small(5), row.timeOrNull(6), row.small(7) == 1);
        return new HeldRun(tenant, new RunId(row.uuid(1)), row.integer(2), traits, row.uuid(8), row.integer(9));
    }

    Beginning begin(Start start, long row, @Nullable Instant deadline) {
        var definition = start.definition();
        var options = start.options();
        Kind kind = new Kind(
                start.tenant(),
                definition.workflow(),
                definition.version(),
                definition.kind(),
                options.retentionDays(),
                deadline == null
                        && options.parent() == null
                        && options.tags().isEmpty()
                        && definition.writes().isEmpty());
        Beginning beginning = beginnings.get(kind);
        if (beginning == null) {
            QueueName queue = QueueName.ofRuns(kind.workflow(), kind.version());
            beginning = new Beginning(kind.tenant(), kind.workflow(), queue, new ArrayList<>());
            beginnings.put(kind, beginning);
        }
        List<@Nullable Object> values = beginning.values();
        values.add(row);
        values.add(start.run().value());
        values.add(definition.input().text());
        if (!kind.bare()) {
            values.add(Texts.ofValues(definition.writes()));
            values.add(options.parent() == null ? null : options.parent().value());
            values.add(Texts.of(options.tags()));
            values.add(deadline);
            options.tags()
                    .forEach((name, value) -> tags.addAll(List.of(
                            start.tenant().value(), name, value, start.run().value())));
        }
        return beginning;
    }

    /** Gives a run that begins its message. */
    void wake(Beginning beginning, RunId run, Instant ready) {
        put(new Wake(beginning.tenant(), beginning.queue(), ready, 0, false), run, Bytes.NIL);
    }

    /** Gives a run that begins a message that its starter holds already. */
    void hand(Beginning beginning, RunId run, Lease lease) {
        Instant ends = Due.in(lease.length()).fixedAt(transaction.now());
        Wake wake = new Wake(
                beginning.tenant(), beginning.queue(), ends, lease.length().toNanos(), lease.isRemote());
        put(wake, run, lease.token());
    }

    private void put(Wake wake, RunId run, UUID token) {
        List<Object> values = messages.get(wake);
        if (values == null) {
            values = new ArrayList<>();
            messages.put(wake, values);
            if (wake.leaseNanos() == 0) {
                // A delayed one too: whoever waits learns when to look.
                transaction.hint(new Hint.Ready(wake.tenant(), wake.queue()));
            }
        }
        values.add(run.value());
        values.add(token);
    }

    void append(HeldRun run, Recorded event, String text) {
        Instant until = event.until();
        List<Object> values = until == null ? events : timedEvents;
        values.add(run.row());
        values.add(event.seq());
        values.add(text);
        if (until != null) {
            values.add(until);
        }
    }

    void complete(HeldRun run) {
        Ending ending =
                new Ending(run.tenant(), run.traits().workflow(), run.traits().retentionDays());
        endings.computeIfAbsent(ending, _ -> new ArrayList<>()).add(run.row());
        taken.computeIfAbsent(run.tenant(), _ -> new ArrayList<>()).add(run.id().value());
    }

    /** Lets go. The count of lapsed leases starts anew, unless the run has no new event. */
    void release(HeldRun run, Instant ready) {
        released.computeIfAbsent(new Pause(run.tenant(), ready, run.last()), _ -> new ArrayList<>())
                .add(run.id().value());
        if (!ready.isAfter(transaction.now())) {
            QueueName queue =
                    QueueName.ofRuns(run.traits().workflow(), run.traits().version());
            transaction.hint(new Hint.Ready(run.tenant(), queue));
        }
    }

    /** Writes what was gathered, in an order in which each row finds what it needs. */
    void flush() {
        Instant now = transaction.now();
        beginnings.forEach((kind, beginning) -> begin(kind, beginning.values(), now));
        TAG.each(List.of(now), tags, this::changeAll);
        messages.forEach((wake, values) -> PUT_MESSAGE.each(
                List.of(wake.tenant().value(), wake.queue().value(), wake.ready(), wake.leaseNanos(), wake.remote()),
                values,
                this::changeAll));
        APPEND.each(List.of(now), events, this::changeAll);
        APPEND_TIMED.each(List.of(now), timedEvents, this::changeAll);
        endings.forEach((ending, rows) -> end(ending, rows, now));
        taken.forEach((tenant, runs) -> TAKE_MESSAGE.each(List.of(tenant.value()), runs, this::changeAll));
        released.forEach((pause, runs) ->
                RELEASE.each(List.of(pause.ready(), pause.tenant().value(), pause.last()), runs, this::changeAll));
        beginnings.clear();
        tags.clear();
        messages.clear();
        events.clear();
        timedEvents.clear();
        endings.clear();
        taken.clear();
        released.clear();
    }

    private void begin(Kind kind, List<@Nullable Object> values, Instant now) {
        List<@Nullable Object> common = new ArrayList<>();
        common.add(kind.tenant().value());
        common.add(kind.workflow().value());
        common.add(kind.version());
        common.add(kind.kind() == null ? null : kind.kind().name());
        common.add(kind.retentionDays());
        common.add(now);
        (kind.bare() ? BEGIN_BARE : BEGIN).each(common, values, (sql, bound, rows) -> {
            changeAll(sql, bound, rows);
            transaction.countRun(kind.tenant(), kind.workflow(), RunStatus.RUNNING, rows);
        });
    }

    private void end(Ending ending, List<Long> rows, Instant now) {
        List<Object> common = List.of(now, now.plus(Duration.ofDays(ending.retentionDays())));
        COMPLETE.each(common, rows, this::changeAll);
        transaction.countRun(ending.tenant(), ending.workflow(), RunStatus.RUNNING, -rows.size());
        transaction.countRun(ending.tenant(), ending.workflow(), RunStatus.COMPLETED, rows.size());
    }

    private void changeAll(String sql, @Nullable Object[] values, int rows) {
        if (transaction.session.update(sql, values) != rows) {
            throw new Bulk.Surprise();
        }
    }
}
