package io.perdure.store.sqlite;

import io.perdure.sdk.id.MessageId;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Removes many messages at once, whatever they wait for, and has the groups that they were in go on. */
final class Removals {
    private static final String REMOVE = """
            DELETE FROM message WHERE row IN (%s)
            RETURNING queue, id, sent_at, ready_at, token <> zeroblob(16), CASE WHEN group_seq > 0 THEN group_key END""";

    static final String FIRST = REMOVE.formatted(QueueOrder.FIRST);

    static final String EXPIRED = REMOVE.formatted("""
            SELECT m.row FROM message m
            WHERE m.expires_at <= ?1 AND NOT %s
            ORDER BY m.expires_at, m.id LIMIT ?2""".formatted(LeaseTimes.LEASED));

    /**
     * A message that was removed.
     *
     * @param taken whether it had a token
     * @param group the FIFO group that it has left
     */
    record Removed(
            long queue,
            MessageId id,
            long sentAt,
            long readyAt,
            boolean taken,
            @Nullable String group) {
        static Removed of(Row row) throws SQLException {
            return new Removed(
                    row.integer(1),
                    new MessageId(row.uuid(2)),
                    row.integer(3),
                    row.integer(4),
                    row.small(5) == 1,
                    row.textOrNull(6));
        }
    }

    private final Transaction transaction;
    private final Session session;

    Removals(Transaction transaction) {
        this.transaction = transaction;
        this.session = transaction.session;
    }

    /** Removes the first messages of a queue. */
    List<Removed> first(QueueRow queue, int limit) {
        return remove(FIRST, queue.id(), limit);
    }

    /** Removes messages that have outlived their retention, from whichever queue. */
    List<Removed> expired(int limit) {
        return remove(EXPIRED, transaction.nowMicros(), limit);
    }

    private List<Removed> remove(String sql, Object... values) {
        List<Removed> removed = session.change(sql, Removed::of, values);
        Map<Long, Set<String>> groups = new HashMap<>();
        for (Removed message : removed) {
            transaction.leased.forget(message.id());
            transaction.calendar().take(message.queue(), message.sentAt(), message.readyAt(), message.taken());
            if (message.group() != null) {
                groups.computeIfAbsent(message.queue(), _ -> new HashSet<>()).add(message.group());
            }
        }
        groups.forEach(new Groups(session)::leave);
        return removed;
    }
}
