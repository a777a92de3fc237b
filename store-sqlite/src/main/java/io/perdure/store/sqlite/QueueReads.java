package io.perdure.store.sqlite;

import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Queue;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads queues and the messages in them. */
final class QueueReads {
    private static final String LISTED =
            "SELECT " + StoredMessage.COLUMNS + " FROM message m WHERE m.row IN (%s) ORDER BY m.ready_at, m.id";

    static final String ALL = LISTED.formatted(QueueOrder.FIRST);
    static final String ALL_AFTER = LISTED.formatted(QueueOrder.FIRST_AFTER);

    private static final String THERE = "SELECT 1 FROM message WHERE id = ? AND tenant = ?";

    private final Session session;

    QueueReads(Session session) {
        this.session = session;
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

    /** A page of messages, within a snapshot. */
    List<MessageRow> messages(MessageQuery query, Moment moment) {
        QueueRow queue = new QueueRows(session).require(query.tenant(), query.queue());
        return (query.deliverable() ? deliverable(queue, query, moment) : all(queue, query))
                .stream()
                        .map(message -> message.asRead(queue.name(), moment.nowMicros()))
                        .toList();
    }

    /** Which of these messages are there, within a snapshot. */
    Set<MessageId> present(TenantId tenant, List<MessageId> messages) {
        return messages.stream()
                .filter(message -> session.first(THERE, row -> row.small(1), message.value(), tenant.value())
                        .isPresent())
                .collect(Collectors.toUnmodifiableSet());
    }

    private List<StoredMessage> all(QueueRow queue, MessageQuery query) {
        MessageQuery.Cursor after = query.after();
        return after == null
                ? session.list(ALL, StoredMessage::of, queue.id(), query.limit())
                : session.list(
                        ALL_AFTER,
                        StoredMessage::of,
                        queue.id(),
                        query.limit(),
                        after.readyAt(),
                        after.message().value());
    }

    private List<StoredMessage> deliverable(QueueRow queue, MessageQuery query, Moment moment) {
        MessageQuery.Cursor after = query.after();
        List<Object> values = new ArrayList<>(List.of(moment.nowMicros(), queue.id(), query.limit()));
        if (after != null) {
            values.add(after.readyAt());
            values.add(after.message().value());
        }
        return session.list(deliverable(after != null), StoredMessage::of, values.toArray());
    }

    static String deliverable(boolean after) {
        return "SELECT " + StoredMessage.COLUMNS + " FROM message m WHERE " + Receives.DUE
                + " AND m.expires_at > ?1"
                + (after ? " AND (m.ready_at, m.id) > (?4, ?5)" : "")
                + " ORDER BY m.ready_at, m.id LIMIT ?3";
    }
}
