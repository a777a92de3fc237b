package io.perdure.store.postgres;

import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Queue;
import io.perdure.core.store.QueueFigures;
import io.perdure.core.store.QueueSettings;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads queues and the messages in them. */
final class QueueReads {
    private static final String QUEUES = """
            SELECT name, visibility_millis, retries, dead_letters, retention_millis, dead_letter_retention_millis,
                   max_delay_millis, id
            FROM perdure.queue WHERE tenant = ?""";

    /** Whether row {@code m} has a lease that has not run out at {@code c.now}. */
    private static final String LEASED =
            "(m.token IS NOT NULL AND m.ready_at > c.now AND m.ready_at <= c.now + 2 * m.lease_micros)";

    private static final String AVAILABLE =
            "(m.ready_at <= c.now OR (m.token IS NOT NULL AND m.ready_at > c.now + 2 * m.lease_micros))";

    private static final String MESSAGES = """
            SELECT m.id, m.body, m.headers, m.group_key, m.group_seq, m.sent_at, m.ready_at, m.expires_at, m.deliveries,
                   m.earlier_deliveries, m.last_error, m.dead_origin, m.dead_reason, m.dead_at, %s
            FROM (SELECT perdure.clock_1() AS now OFFSET 0) c, perdure.message m
            WHERE m.queue = ?""".formatted(LEASED);

    private static final String DELIVERABLE = """
             AND %s AND m.expires_at > c.now AND (m.group_seq = 0 OR NOT EXISTS (
                SELECT 1 FROM perdure.message o
                WHERE o.queue = m.queue AND o.group_key = m.group_key AND o.group_seq > 0 AND o.group_seq < m.group_seq
                  AND (o.expires_at > c.now
                       OR (o.token IS NOT NULL AND o.ready_at > c.now AND o.ready_at <= c.now + 2 * o.lease_micros))))""".formatted(AVAILABLE);

    private static final String FIGURES = """
            SELECT f.came_in - f.went_out - f.dead_lettered - f.expired,
                   (SELECT count(*) FROM perdure.message m WHERE m.queue = q.id AND m.ready_at > c.now AND %s),
                   (SELECT count(*) FROM perdure.message m
                    WHERE m.queue = q.id AND m.ready_at > c.now AND m.token IS NULL),
                   (SELECT min(m.ready_at) FROM perdure.message m WHERE m.queue = q.id AND %s),
                   f.came_in, f.went_out, f.retried, f.dead_lettered, f.expired
            FROM (SELECT perdure.clock_1() AS now OFFSET 0) c, perdure.queue q, LATERAL (
                SELECT coalesce(sum(came_in), 0) AS came_in, coalesce(sum(went_out), 0) AS went_out,
                       coalesce(sum(retried), 0) AS retried, coalesce(sum(dead_lettered), 0) AS dead_lettered,
                       coalesce(sum(expired), 0) AS expired
                FROM perdure.queue_count n WHERE n.queue = q.id) f
            WHERE q.tenant = ? AND q.name = ?""".formatted(LEASED, AVAILABLE);

    private final Session session;

    QueueReads(Session session) {
        this.session = session;
    }

    List<Queue> queues(TenantId tenant) throws SQLException {
        return session.list(QUEUES + " ORDER BY name COLLATE \"C\"", QueueReads::queue, tenant.value());
    }

    Optional<Queue> queue(TenantId tenant, QueueName name) throws SQLException {
        return session.first(QUEUES + " AND name = ?", QueueReads::queue, tenant.value(), name.value());
    }

    private static Queue queue(Row row) throws SQLException {
        return new Queue(
                new QueueName(row.text(1)),
                new QueueSettings(
                        Duration.ofMillis(row.integer(2)),
                        row.small(3),
                        row.flag(4),
                        Duration.ofMillis(row.integer(5)),
                        Duration.ofMillis(row.integer(6)),
                        Duration.ofMillis(row.integer(7))));
    }

    private record Found(long id, Queue queue) {}

    List<MessageRow> messages(MessageQuery query) throws SQLException {
        Found found = session.first(
                        QUEUES + " AND name = ?",
                        row -> new Found(row.integer(8), queue(row)),
                        query.tenant().value(),
                        query.queue().value())
                .orElseThrow(() -> {
                    var refused = Refusals.noSuchQueue(query.tenant(), query.queue());
                    return refused.why().because(refused.detail());
                });
        StringBuilder sql = new StringBuilder(MESSAGES);
        List<@Nullable Object> values = new ArrayList<>();
        values.add(found.id());
        if (query.deliverable()) {
            sql.append(' ').append(DELIVERABLE);
            if (!query.queue().holdsDeadLetters()) {
                sql.append(" AND m.deliveries < ?");
                values.add(found.queue().settings().deliveries());
            }
        }
        MessageQuery.Cursor after = query.after();
        if (after != null) {
            sql.append(" AND (m.ready_at, m.id) > (?, ?)");
            values.add(after.readyAt());
            values.add(after.message().value());
        }
        sql.append(" ORDER BY m.ready_at, m.id LIMIT ?");
        values.add(query.limit());
        return session.list(
                sql.toString(), row -> Receives.message(row, 1, query.queue(), row.flag(15)), values.toArray());
    }

    Optional<QueueFigures> figures(TenantId tenant, QueueName queue) throws SQLException {
        return session.first(FIGURES, QueueReads::figures, tenant.value(), queue.value());
    }

    private static QueueFigures figures(Row row) throws SQLException {
        long leased = row.integer(2);
        long delayed = row.integer(3);
        return new QueueFigures(
                row.integer(1) - leased - delayed,
                delayed,
                leased,
                row.timeOrNull(4),
                row.integer(5),
                row.integer(6),
                row.integer(7),
                row.integer(8),
                row.integer(9));
    }
}
