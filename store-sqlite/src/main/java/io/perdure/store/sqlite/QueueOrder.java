package io.perdure.store.sqlite;

/**
 * The order of a queue: by when messages are or become ready, then by id. In the index those that are blocked lie apart from the
 * others, so to read all of them is two walks, each no further than the limit, and what they found is merged.
 */
final class QueueOrder {
    /** The rows of the first {@code ?2} messages of queue {@code ?1}. */
    static final String FIRST = merged("");

    /** The same behind the one that is ready at {@code ?3} and has the id {@code ?4}. */
    static final String FIRST_AFTER = merged(" AND (ready_at, id) > (?3, ?4)");

    private QueueOrder() {}

    private static String merged(String condition) {
        return """
                SELECT row FROM (SELECT * FROM (%s) UNION ALL SELECT * FROM (%s))
                ORDER BY ready_at, id LIMIT ?2""".formatted(walk(0, condition), walk(1, condition));
    }

    private static String walk(int blocked, String condition) {
        return "SELECT row, ready_at, id FROM message WHERE queue = ?1 AND blocked = " + blocked + condition
                + " ORDER BY ready_at, id LIMIT ?2";
    }
}
