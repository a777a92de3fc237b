package io.perdure.store.sqlite;

import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Queue;
import io.perdure.core.store.QueueFigures;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads queues and the messages in them. */
final class QueueReads {
    private static final String FIGURES = """
            SELECT q.came_in - q.went_out - q.dead_lettered - q.expired,
                   (SELECT count(*) FROM message m
                    WHERE m.queue = q.id AND m.ready_at > ?1 AND %s),
                   (SELECT count(*) FROM message m WHERE m.queue = q.id AND m.ready_at > ?1 AND m.token = zeroblob(16)),
                   (SELECT min(m.ready_at) FROM message m WHERE m.queue = q.id AND %s),
                   q.came_in, q.went_out, q.retried, q.dead_lettered, q.expired
            FROM queue q WHERE q.tenant = ?2 AND q.name = ?3""".formatted(LeaseTimes.LEASED, LeaseTimes.AVAILABLE_AFTER_STEP_BACK);

    private final Session session;
    private final long nowMicros;

    QueueReads(Session session, long nowMicros) {
        this.session = session;
        this.nowMicros = nowMicros;
    }

    List<Queue> queues(TenantId tenant) {
        return session.list(
                "SELECT " + QueueRow.COLUMNS + " FROM queue WHERE tenant = ? ORDER BY name",
                QueueReads::queue,
                tenant.value());
    }

    Optional<Queue> queue(TenantId tenant, QueueName name) {
        return new QueueRows(session).find(tenant, name).map(row -> new Queue(row.name(), row.settings()));
    }

    private static Queue queue(Row row) throws SQLException {
        QueueRow queue = QueueRow.of(row);
        return new Queue(queue.name(), queue.settings());
    }

    List<MessageRow> messages(MessageQuery query) {
        QueueRow queue = new QueueRows(session).require(query.tenant(), query.queue());
        StringBuilder sql = new StringBuilder("SELECT " + StoredMessage.COLUMNS + " FROM message m WHERE ");
        List<@Nullable Object> values = new ArrayList<>(List.of(nowMicros, queue.id(), query.limit()));
        if (query.deliverable()) {
            sql.append(Receives.deliverable(true));
            if (!queue.name().holdsDeadLetters()) {
                sql.append(" AND m.deliveries < ?4");
                values.add(queue.settings().deliveries());
            }
        } else {
            // Every parameter is used, whatever is asked for.
            sql.append("m.queue = ?2 AND ?1 IS NOT NULL");
        }
        MessageQuery.Cursor after = query.after();
        if (after != null) {
            int next = values.size() + 1;
            sql.append(" AND (m.ready_at, m.id) > (?")
                    .append(next)
                    .append(", ?")
                    .append(next + 1)
                    .append(')');
            values.add(after.readyAt());
            values.add(after.message().value());
        }
        sql.append(" ORDER BY m.ready_at, m.id LIMIT ?3");
        return session.list(
                sql.toString(), row -> StoredMessage.of(row).asRead(queue.name(), nowMicros), values.toArray());
    }

    Optional<QueueFigures> figures(TenantId tenant, QueueName queue) {
        return session.first(FIGURES, QueueReads::figures, nowMicros, tenant.value(), queue.value());
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
