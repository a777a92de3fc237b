package io.perdure.store.sqlite;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of FIFO groups, and who is their head. A group counts on until it is empty; then its row goes, and it starts again
 * at 1. Who joins as number 1 is the head, all others are blocked; when the head leaves, the next one is freed.
 */
final class Groups {
    private static final String NEXT = """
            INSERT INTO queue_group (queue, group_key, newest) VALUES (?, ?, 1)
            ON CONFLICT DO UPDATE SET newest = newest + 1
            RETURNING newest""";

    private static final String FREE_NEXT = """
            UPDATE message SET blocked = 0
            WHERE row = (SELECT m.row FROM message m WHERE m.queue = ? AND m.group_key = ? AND m.group_seq > 0
                         ORDER BY m.group_seq LIMIT 1)""";

    private static final String FORGET = "DELETE FROM queue_group WHERE queue = ? AND group_key = ?";

    static final ManyRows FREE_HEADS =
            new ManyRows(1, "UPDATE message SET blocked = 0 WHERE blocked = 1 AND row IN (", """
            (SELECT m.row FROM message m WHERE m.queue = ?1 AND m.group_key = ? AND m.group_seq > 0
             ORDER BY m.group_seq LIMIT 1)""", ")");

    static final ManyRows FORGET_EMPTY =
            new ManyRows(1, "DELETE FROM queue_group AS g WHERE g.queue = ?1 AND g.group_key IN (", "?", """
            ) AND NOT EXISTS (SELECT 1 FROM message m
                              WHERE m.queue = g.queue AND m.group_key = g.group_key AND m.group_seq > 0)""");

    private final Session session;

    Groups(Session session) {
        this.session = session;
    }

    /** The number of a message that joins a queue: 0 where it has no group, or the queue holds dead letters. */
    long join(QueueRow queue, @Nullable String group) {
        return group == null || queue.name().holdsDeadLetters()
                ? 0
                : session.change(NEXT, row -> row.integer(1), queue.id(), group).getFirst();
    }

    /** Whether the one that joined with this number has to wait for another. */
    static boolean isBlocked(long number) {
        return number > 1;
    }

    /** Frees the one behind a message that has left its group, if that was the head. */
    void leave(StoredMessage message) {
        if (message.groupSeq() == 0 || message.isBlocked()) {
            return;
        }
        if (session.update(FREE_NEXT, message.queue(), message.group()) == 0) {
            session.update(FORGET, message.queue(), message.group());
        }
    }

    /** The same for groups of a queue that messages have left, whichever they were. */
    void leave(long queue, Set<String> groups) {
        List<Long> shared = List.of(queue);
        List<String> names = List.copyOf(groups);
        FREE_HEADS.each(shared, names, (sql, values, _) -> session.update(sql, values));
        FORGET_EMPTY.each(shared, names, (sql, values, _) -> session.update(sql, values));
    }
}
