package io.perdure.store.postgres;

import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Queue;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Reads queues and the messages in them. */
final class QueueReads {
    private static final String QUEUES = """
            SELECT name, visibility_millis, retries, dead_letters, retention_millis, dead_letter_retention_millis,
                   max_delay_millis, id
            FROM perdure.queue WHERE tenant = ?""";

    /** Whether row {@code m} has a lease that has not run out at {@code c.now}. */
    private static final String LEASED = "(m.token IS NOT NULL AND m.ready_at > c.now)";

    private static final String FOUND = """
            SELECT q.id, c.now FROM perdure.queue q, (SELECT perdure.clock_1() AS now OFFSET 0) c
            WHERE q.tenant = ? AND q.name = ?""";

    private static final String MESSAGES =
            "SELECT " + MessageColumns.NAMES + ", " + LEASED + " FROM (SELECT ?::bigint AS now) c, ";

    private static final String IN_ORDER = " ORDER BY m.ready_at, m.id LIMIT ?";

    /** What could be received: the index leads to it. */
    private static final String DELIVERABLE = MESSAGES + """
            perdure.message m
            WHERE m.queue = ? AND NOT m.blocked AND (m.ready_at, m.id) > (?, ?)
              AND m.ready_at <= ? AND m.expires_at > c.now""" + IN_ORDER;

    private static final String ALL = MESSAGES + "(" + """
            (SELECT * FROM perdure.message m WHERE m.queue = ? AND NOT m.blocked AND (m.ready_at, m.id) > (?, ?)\
            """ + IN_ORDER + """
            ) UNION ALL
            (SELECT * FROM perdure.message m WHERE m.queue = ? AND m.blocked AND (m.ready_at, m.id) > (?, ?)\
            """ + IN_ORDER + ")) m" + IN_ORDER;

    /** Before all others. */
    private static final UUID NO_ID = new UUID(0, 0);

    private static final String FIGURES = """
            SELECT ready, delayed, leased, oldest, came_in, went_out, retried, dead_lettered, expired
            FROM perdure.figures_2(?, ?)""";

    private final Session session;

    QueueReads(Session session) {
        this.session = session;
    }

    List<Queue> queues(TenantId tenant) throws SQLException {
        return session.list(QUEUES + " ORDER BY name COLLATE \"C\"", QueueReads::queue, tenant.value());
    }

    Set<MessageId> present(TenantId tenant, List<MessageId> messages) throws SQLException {
        UUID[] ids = messages.stream().map(MessageId::value).toArray(UUID[]::new);
        return Set.copyOf(session.list(
                "SELECT * FROM perdure.present_1(?, ?)", row -> new MessageId(row.uuid(1)), tenant.value(), ids));
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

    /** A queue, and the time at which it is read. */
    private record Found(long id, long now) {
        static Found of(Row row) throws SQLException {
            return new Found(row.integer(1), row.integer(2));
        }
    }

    List<MessageRow> messages(MessageQuery query) throws SQLException {
        Found found = session.first(
                        FOUND, Found::of, query.tenant().value(), query.queue().value())
                .orElseThrow(() -> {
                    var refused = Refusals.noSuchQueue(query.tenant(), query.queue());
                    return refused.why().because(refused.detail());
                });
        MessageQuery.Cursor after = query.after();
        long queue = found.id();
        long now = found.now();
        long readyAt = after == null ? Long.MIN_VALUE : Times.micros(after.readyAt());
        UUID id = after == null ? NO_ID : after.message().value();
        int limit = query.limit();
        return query.deliverable()
                ? list(query, DELIVERABLE, now, queue, readyAt, id, now, limit)
                : list(query, ALL, now, queue, readyAt, id, limit, queue, readyAt, id, limit, limit);
    }

    private List<MessageRow> list(MessageQuery query, String sql, Object... values) throws SQLException {
        return session.list(
                sql, row -> MessageColumns.message(row, query.queue(), row.flag(MessageColumns.COUNT + 1)), values);
    }

    Optional<QueueFigures> figures(TenantId tenant, QueueName queue) throws SQLException {
        return session.first(FIGURES, QueueReads::figures, tenant.value(), queue.value());
    }

    private static QueueFigures figures(Row row) throws SQLException {
        return new QueueFigures(
                row.integer(1),
                row.integer(2),
                row.integer(3),
                row.timeOrNull(4),
                row.integer(5),
                row.integer(6),
                row.integer(7),
                row.integer(8),
                row.integer(9));
    }
}
