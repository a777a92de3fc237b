package io.perdure.store.sqlite;

import io.perdure.core.store.MessageRow.Reason;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.rows.Texts;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Leases messages of users. */
final class Receives {
    /** Whether nothing of its group is before it. What is delayed, leased or retried blocks its group; what expired does not. */
    private static final String IS_HEAD = """
            (m.group_seq = 0 OR NOT EXISTS (
                SELECT 1 FROM message o
                WHERE o.queue = m.queue AND o.group_key = m.group_key
                  AND o.group_seq > 0 AND o.group_seq < m.group_seq
                  AND (o.expires_at > ?1
                       OR (o.token <> zeroblob(16) AND o.ready_at > ?1 AND o.ready_at <= ?1 + 2 * o.lease_nanos / 1000))))""";

    /** What makes a message of queue {@code ?2} one that could be received at {@code ?1}. */
    static String deliverable(boolean clockWentBack) {
        return " m.queue = ?2 AND "
                + (clockWentBack ? LeaseTimes.AVAILABLE_AFTER_STEP_BACK : LeaseTimes.AVAILABLE)
                + " AND m.expires_at > ?1 AND " + IS_HEAD;
    }

    private static final String ORDERED = " ORDER BY m.ready_at, m.id";

    private static final String ALL = "SELECT " + StoredMessage.COLUMNS + " FROM message m WHERE ";

    private static final String CHOSEN = "SELECT " + StoredMessage.COLUMNS
            + " FROM json_each(?3) j CROSS JOIN message m ON m.tenant = ?4 AND m.id = unhex(j.value) WHERE ";

    private static final ManyRows TAKE = new ManyRows(
            3,
            "UPDATE message SET token = ?1, ready_at = ?2, lease_nanos = ?3, deliveries = deliveries + 1 WHERE row IN (",
            "?",
            ")");

    private static final String NEXT_READY =
            "SELECT min(ready_at) FROM message WHERE queue = ? AND ready_at > ? AND ready_at < ?";

    private final Transaction transaction;
    private final Session session;
    private final Messages messages;

    Receives(Transaction transaction, Messages messages) {
        this.transaction = transaction;
        this.session = transaction.session;
        this.messages = messages;
    }

    Received receive(Receive request) {
        QueueRow queue = transaction.queues.require(request.tenant(), request.queue());
        List<Delivery> deliveries = new ArrayList<>();
        boolean more = true;
        while (more && deliveries.size() < request.max()) {
            more = receiveSome(request, queue, deliveries);
        }
        return new Received(deliveries, deliveries.size() == request.max() ? null : nextReady(queue));
    }

    /**
     * Takes the next messages, and gives up those that used up their deliveries. Answers whether there may be more than it
     * looked at. Stops after it gave up one of a group: the next of that group may come before all others.
     */
    private boolean receiveSome(Receive request, QueueRow queue, List<Delivery> deliveries) {
        int room = request.max() - deliveries.size();
        List<StoredMessage> found = find(queue, room, request.only());
        List<StoredMessage> taken = new ArrayList<>(found.size());
        boolean gaveUp = false;
        for (StoredMessage message : found) {
            if (!queue.isUsedUp(message.deliveries())) {
                taken.add(message);
                continue;
            }
            gaveUp = true;
            messages.giveUp(queue, message, Reason.DELIVERIES_USED_UP, message.lastError());
            if (message.groupSeq() > 0) {
                break;
            }
        }
        take(request, queue, taken, deliveries);
        return gaveUp;
    }

    private List<StoredMessage> find(QueueRow queue, int limit, Set<MessageId> only) {
        String rest = deliverable(transaction.clockWentBack()) + ORDERED + Session.limit(limit);
        long now = transaction.nowMicros();
        if (only.isEmpty()) {
            return session.list(ALL + rest, StoredMessage::of, now, queue.id());
        }
        String tenant = queue.tenant().value();
        return session.list(CHOSEN + rest, StoredMessage::of, now, queue.id(), Texts.ofIds(only), tenant);
    }

    private void take(Receive request, QueueRow queue, List<StoredMessage> taken, List<Delivery> deliveries) {
        UUID token = request.lease().token();
        long ends = Times.micros(Due.in(request.lease().length()).fixedAt(transaction.now()));
        List<Long> rows = new ArrayList<>(taken.size());
        for (StoredMessage message : taken) {
            rows.add(message.row());
            transaction.leased.remember(
                    message.id(),
                    new Leased.Place(request.tenant(), token, message.row(), queue.id(), message.group() != null));
            deliveries.add(new Delivery(new Receipt(message.id(), token), message.asDelivered(queue.name(), ends)));
        }
        List<Object> shared = List.of(token, ends, request.lease().length().toNanos());
        TAKE.each(shared, rows, (sql, values, _) -> session.update(sql, values));
    }

    private @Nullable Instant nextReady(QueueRow queue) {
        return session.first(NEXT_READY, Receives::timeOrNone, queue.id(), transaction.nowMicros(), Due.FAR_FUTURE)
                .flatMap(time -> time)
                .orElse(null);
    }

    private static Optional<Instant> timeOrNone(Row row) throws SQLException {
        return Optional.ofNullable(row.timeOrNull(1));
    }
}
