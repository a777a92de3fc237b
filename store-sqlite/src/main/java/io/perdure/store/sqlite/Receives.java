package io.perdure.store.sqlite;

import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.rows.Texts;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.queue.DeadLetter.Reason;
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
    private static final String ALL = "SELECT " + StoredMessage.COLUMNS + " FROM message m WHERE ";

    private static final String CHOSEN = "SELECT " + StoredMessage.COLUMNS
            + " FROM json_each(?3) j CROSS JOIN message m ON m.tenant = ?4 AND m.id = unhex(j.value) WHERE ";

    private static final String ORDERED = " ORDER BY m.ready_at, m.id";

    private static final ManyRows TAKE = new ManyRows(4, """
            UPDATE message
            SET token = ?1, ready_at = ?2, lease_nanos = ?3, deliveries = deliveries + 1, last_delivered = ?4,
                first_delivered = CASE first_delivered WHEN -9223372036854775808 THEN ?4 ELSE first_delivered END
            WHERE row IN (""", "?", ")");

    private static final ManyRows TAKE_DEAD_LETTERS = new ManyRows(
            3,
            "UPDATE message SET token = ?1, ready_at = ?2, lease_nanos = ?3, deliveries = deliveries + 1 WHERE row IN (",
            "?",
            ")");

    static final String NEXT_READY =
            "SELECT min(ready_at) FROM message WHERE queue = ? AND blocked = 0 AND ready_at > ? AND ready_at < ?";

    /** What makes a message of queue {@code ?2} one that a receive meets at {@code ?1}. It may have expired or be used up. */
    static final String DUE = " m.queue = ?2 AND m.blocked = 0 AND " + LeaseTimes.AVAILABLE;

    /** How many to look at after one of a group was left out: perhaps the next of that group is to be left out too. */
    private static final int SHORT_LOOK = 16;

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
        new StepBack(transaction).repair();
        Taking taking = new Taking(request, queue);
        while (taking.hasMore()) {
            taking.look();
        }
        return taking.received();
    }

    private List<StoredMessage> find(QueueRow queue, int limit, Set<MessageId> only) {
        String rest = DUE + ORDERED + Session.limit(limit);
        long now = transaction.nowMicros();
        if (only.isEmpty()) {
            return session.list(ALL + rest, StoredMessage::of, now, queue.id());
        }
        String tenant = queue.tenant().value();
        return session.list(CHOSEN + rest, StoredMessage::of, now, queue.id(), Texts.ofIds(only), tenant);
    }

    /** One receive under way. */
    private final class Taking {
        private final Receive request;
        private final QueueRow queue;
        private final List<Delivery> deliveries = new ArrayList<>();
        private int looksAt;
        private int leftOut;
        private boolean seenAll;

        Taking(Receive request, QueueRow queue) {
            this.request = request;
            this.queue = queue;
            looksAt = request.max();
        }

        boolean hasMore() {
            return !seenAll && room() > 0 && leftOut < Receive.MOST_LEFT_OUT;
        }

        private int room() {
            return request.max() - deliveries.size();
        }

        /**
         * Takes the next messages, and leaves those out that expired or used up their deliveries: they are gone then. Stops after
         * it left one of a group out: the next of that group may come before all others.
         */
        void look() {
            int limit = Math.min(room(), looksAt);
            List<StoredMessage> found = find(queue, limit, request.only());
            List<StoredMessage> taken = new ArrayList<>(found.size());
            int leftOutBefore = leftOut;
            looksAt = request.max();
            for (StoredMessage message : found) {
                if (!leaveOut(message)) {
                    taken.add(message);
                } else if (message.groupSeq() > 0 || leftOut == Receive.MOST_LEFT_OUT) {
                    looksAt = SHORT_LOOK;
                    break;
                }
            }
            seenAll = found.size() < limit && leftOut == leftOutBefore;
            take(taken);
        }

        private boolean leaveOut(StoredMessage message) {
            if (message.isExpired(transaction.nowMicros())) {
                messages.expire(queue, message);
            } else if (queue.isUsedUp(message.deliveries())) {
                messages.giveUp(queue, message, Reason.DELIVERIES_USED_UP, message.lastError());
            } else {
                return false;
            }
            leftOut++;
            return true;
        }

        private void take(List<StoredMessage> taken) {
            if (taken.isEmpty()) {
                return;
            }
            UUID token = request.lease().token();
            Instant now = transaction.now();
            long ends = Times.micros(Due.in(request.lease().length()).fixedAt(now));
            List<Long> rows = new ArrayList<>(taken.size());
            for (StoredMessage message : taken) {
                rows.add(message.row());
                String group = message.groupSeq() > 0 ? message.group() : null;
                transaction.leased.remember(
                        message.id(),
                        new Leased.Place(request.tenant(), token, ends, message.row(), queue.id(), group));
                transaction.calendar().take(message);
                deliveries.add(new Delivery(token, message.asDelivered(queue.name(), now, ends)));
            }
            transaction.calendar().putLeased(queue.id(), ends, taken.size());
            ManyRows statement = queue.name().holdsDeadLetters() ? TAKE_DEAD_LETTERS : TAKE;
            List<Object> shared = List.of(token, ends, request.lease().length().toNanos(), now);
            statement.each(shared, rows, (sql, values, _) -> session.update(sql, values));
        }

        Received received() {
            return new Received(deliveries, room() == 0 ? null : nextReady());
        }

        /** There may be many more to leave out. What was done stays done, and the caller comes back at once. */
        private @Nullable Instant nextReady() {
            return leftOut < Receive.MOST_LEFT_OUT
                    ? firstAfterNow().orElse(null)
                    : Times.instant(transaction.nowMicros() + 1);
        }

        private Optional<Instant> firstAfterNow() {
            return session.first(NEXT_READY, Receives::timeOrNone, queue.id(), transaction.nowMicros(), Due.FAR_FUTURE)
                    .flatMap(time -> time);
        }
    }

    private static Optional<Instant> timeOrNone(Row row) throws SQLException {
        return Optional.ofNullable(row.timeOrNull(1));
    }
}
