package io.perdure.store.sqlite;

import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What decides about a commit of a run: its row without the values, the number of its last event, and its message. */
record RunFacts(
        TenantId tenant,
        RunId id,
        long row,
        WorkflowName workflow,
        @Nullable Integer version,
        RunStatus status,
        @Nullable WorkflowId workflowId,
        @Nullable RunId parent,
        int retentionDays,
        long wakes,
        @Nullable Instant deadline,
        long last,
        @Nullable Message message) {
    /** The one message of a running run. */
    record Message(@Nullable UUID token, long readyAt, Set<EventName> wakeOn) {}

    private static final String READ = """
            SELECT r.row, r.workflow, r.version, r.status, r.workflow_id, r.parent, r.retention_days, r.wakes,
                   r.deadline,
                   (SELECT max(seq) FROM event e WHERE e.run = r.row),
                   m.run IS NOT NULL, m.token, m.ready_at, m.wake_on
            FROM run r LEFT JOIN run_message m ON m.tenant = r.tenant AND m.run = r.id
            WHERE r.tenant = ? AND r.id = ?""";

    static Optional<RunFacts> read(Session session, TenantId tenant, RunId run) {
        return session.first(READ, row -> of(row, tenant, run), tenant.value(), run.value());
    }

    private static RunFacts of(Row row, TenantId tenant, RunId run) throws SQLException {
        String workflowId = row.textOrNull(5);
        UUID parent = row.uuidOrNull(6);
        return new RunFacts(
                tenant,
                run,
                row.integer(1),
                new WorkflowName(row.text(2)),
                row.smallOrNull(3),
                status(row.text(4)),
                workflowId == null ? null : new WorkflowId(workflowId),
                parent == null ? null : new RunId(parent),
                row.small(7),
                row.integer(8),
                row.timeOrNull(9),
                row.integer(10),
                row.small(11) == 0 ? null : message(row));
    }

    private static Message message(Row row) throws SQLException {
        return new Message(row.token(12), row.integer(13), Texts.events(row.textOrNull(14)));
    }

    static RunStatus status(String word) {
        return RunStatus.valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** The queue of the run's workflow and version; of those without a version until a worker has claimed it. */
    QueueName queue() {
        return QueueName.ofRuns(workflow, version);
    }

    /** The earlier of a time and the run's deadline. */
    Instant orDeadline(Instant time) {
        return deadline != null && deadline.isBefore(time) ? deadline : time;
    }

    /** The run in the hands of a worker, after so many more events. */
    HeldRun heldBy(UUID token, int events) {
        boolean tied = parent != null || workflowId != null;
        HeldRun.Traits traits = new HeldRun.Traits(workflow, version, retentionDays, deadline, tied);
        return new HeldRun(tenant, id, row, traits, token, last + events);
    }

    Optional<ClaimedKey> workflowIdKey() {
        return ClaimedKey.workflowId(tenant, workflow, workflowId);
    }
}
