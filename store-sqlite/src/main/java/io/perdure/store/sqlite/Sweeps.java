package io.perdure.store.sqlite;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Sweep;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.store.sqlite.Removals.Removed;
import io.perdure.store.sqlite.Transaction.Figure;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Removes rows that have served their time, those first that have been over the longest. */
final class Sweeps {
    private static final String RETIRED = """
            SELECT tenant, id, workflow, status, row, tags, started_at FROM run
            WHERE retires_at < ? ORDER BY retires_at, id LIMIT ?""";

    private static final String UNTAG =
            "DELETE FROM run_tag WHERE tenant = ? AND name = ? AND value = ? AND started_at = ? AND run = ?";

    private static final String SWEEP_KEYS = """
            DELETE FROM claimed_key WHERE (tenant, scope, within, value) IN (
                SELECT tenant, scope, within, value FROM claimed_key
                WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)""";

    /** Slots that may go for each row that a sweep may remove: they are small, and every busy queue leaves 14 in a minute. */
    private static final int SLOTS_EACH = 50;

    static final String SWEEP_CALENDAR = """
            DELETE FROM queue_due WHERE (queue, slot) IN (
                SELECT queue, slot FROM queue_due WHERE slot < ? ORDER BY slot LIMIT ?)""";

    private static final String SILENT_LANES =
            "SELECT process, number FROM lane WHERE last_used < ? ORDER BY last_used LIMIT ?";

    private static final String SWEEP_BATCHES = """
            DELETE FROM lane_batch WHERE (process, lane, number) IN (
                SELECT b.process, b.lane, b.number FROM lane_batch b
                JOIN lane l ON l.process = b.process AND l.number = b.lane
                WHERE b.at < ? AND b.number < l.newest ORDER BY b.at LIMIT ?)""";

    private record Retired(
            TenantId tenant,
            RunId run,
            WorkflowName workflow,
            RunStatus status,
            long row,
            Map<String, String> tags,
            Instant startedAt) {
        static Retired of(Row row) throws SQLException {
            return new Retired(
                    new TenantId(row.text(1)),
                    new RunId(row.uuid(2)),
                    new WorkflowName(row.text(3)),
                    RunFacts.status(row.text(4)),
                    row.integer(5),
                    Texts.map(row.textOrNull(6)),
                    row.time(7));
        }
    }

    private record SilentLane(UUID process, int number) {}

    private final Transaction transaction;
    private final Session session;

    Sweeps(Transaction transaction) {
        this.transaction = transaction;
        this.session = transaction.session;
    }

    int sweep(Sweep what, int limit) {
        return switch (what) {
            case EXPIRED_MESSAGES -> expiredMessages(limit);
            case RETIRED_RUNS -> retiredRuns(limit);
            case DEDUPLICATION_IDS -> session.update(SWEEP_KEYS, transaction.now(), limit);
            case LANE_BATCHES -> laneBatches(limit);
            case GONE_WORKERS -> new Workers(session).sweep(transaction.now(), limit);
            case NOTED_REQUESTS ->
                new Requests(session)
                        .sweep(
                                transaction
                                        .now()
                                        .minus(transaction.limits.remote().requestsKept()),
                                limit);
        };
    }

    private int expiredMessages(int limit) {
        List<Removed> expired = new Removals(transaction).expired(limit);
        for (Removed message : expired) {
            QueueRow queue = transaction.queues.of(message.queue());
            transaction.count(queue, Figure.EXPIRED, 1);
            if (message.group() != null) {
                transaction.hint(new Hint.Ready(queue.tenant(), queue.name()));
            }
        }
        session.update(SWEEP_CALENDAR, Calendar.oldest(transaction.nowMicros()), SLOTS_EACH * limit);
        return expired.size();
    }

    private int retiredRuns(int limit) {
        List<Retired> retired = session.list(RETIRED, Retired::of, transaction.now(), limit);
        Keys keys = new Keys(transaction);
        for (Retired row : retired) {
            String tenant = row.tenant().value();
            UUID run = row.run().value();
            session.update("DELETE FROM event WHERE run = ?", row.row());
            session.update("DELETE FROM signal WHERE tenant = ? AND run = ?", tenant, run);
            row.tags().forEach((name, value) -> session.update(UNTAG, tenant, name, value, row.startedAt(), run));
            session.update("DELETE FROM run WHERE row = ?", row.row());
            keys.freeAllOf(row.tenant(), row.run());
            transaction.countRun(row.tenant(), row.workflow(), row.status(), -1);
        }
        return retired.size();
    }

    private int laneBatches(int limit) {
        Instant silentSince = transaction.now().minus(transaction.limits.lanes().lanesKept());
        List<SilentLane> silent =
                session.list(SILENT_LANES, row -> new SilentLane(row.uuid(1), row.small(2)), silentSince, limit);
        for (SilentLane lane : silent) {
            session.update("DELETE FROM lane_batch WHERE process = ? AND lane = ?", lane.process(), lane.number());
            session.update("DELETE FROM lane WHERE process = ? AND number = ?", lane.process(), lane.number());
        }
        Instant old = transaction.now().minus(transaction.limits.lanes().batchesKept());
        return silent.size() + session.update(SWEEP_BATCHES, old, limit - silent.size());
    }
}
