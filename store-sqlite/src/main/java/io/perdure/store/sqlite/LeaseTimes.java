package io.perdure.store.sqlite;

import org.jspecify.annotations.Nullable;

/** When something that can be leased may be taken: once in Java, once in SQL. */
final class LeaseTimes {
    /** What stands in a row that nobody has taken. */
    static final String NO_TOKEN = "zeroblob(16)";

    /** Whether row {@code m} has a lease that has not run out at {@code ?1}. */
    static final String LEASED =
            "(m.token <> " + NO_TOKEN + " AND m.ready_at > ?1 AND m.ready_at <= ?1 + 2 * m.lease_nanos / 1000)";

    /**
     * The rows that can be taken at {@code ?1}, where the clock has gone back. A lease that ends further ahead than twice
     * its length counts as run out. Costs a look at every row that is not due, so it is used only then.
     */
    static final String AVAILABLE_AFTER_STEP_BACK =
            "(m.ready_at <= ?1 OR (m.token <> " + NO_TOKEN + " AND m.ready_at > ?1 + 2 * m.lease_nanos / 1000))";

    /** The rows that can be taken at {@code ?1}: an index leads to them. */
    static final String AVAILABLE = "m.ready_at <= ?1";

    private LeaseTimes() {}

    static boolean isAvailable(long readyAt, @Nullable Object token, long leaseNanos, long nowMicros) {
        return readyAt <= nowMicros || (token != null && readyAt > nowMicros + 2 * leaseNanos / 1_000);
    }
}
