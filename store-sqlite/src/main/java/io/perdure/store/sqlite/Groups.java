package io.perdure.store.sqlite;

import org.jspecify.annotations.Nullable;

/** The numbers of FIFO groups. A group counts on until it is empty; then its row goes, and it starts again at 1. */
final class Groups {
    private static final String NEXT = """
            INSERT INTO queue_group (queue, group_key, newest) VALUES (?, ?, 1)
            ON CONFLICT DO UPDATE SET newest = newest + 1
            RETURNING newest""";

    private static final String FORGET_EMPTY = """
            DELETE FROM queue_group
            WHERE queue = ?1 AND group_key = ?2
              AND NOT EXISTS (SELECT 1 FROM message WHERE queue = ?1 AND group_key = ?2 AND group_seq > 0)""";

    private static final String FORGET_ALL_EMPTY = """
            DELETE FROM queue_group AS g
            WHERE g.queue = ?
              AND NOT EXISTS (SELECT 1 FROM message m
                              WHERE m.queue = g.queue AND m.group_key = g.group_key AND m.group_seq > 0)""";

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

    /** Looks whether a group that a message has left is now empty. */
    void leave(long queue, @Nullable String group, long seq) {
        if (seq > 0) {
            session.update(FORGET_EMPTY, queue, group);
        }
    }

    void leaveMany(long queue) {
        session.update(FORGET_ALL_EMPTY, queue);
    }
}
