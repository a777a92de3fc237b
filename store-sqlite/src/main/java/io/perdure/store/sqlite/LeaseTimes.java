package io.perdure.store.sqlite;

/** When something that can be leased may be taken: once in Java, once in SQL. */
final class LeaseTimes {
    /** What stands in a row that nobody has taken. */
    static final String NO_TOKEN = "zeroblob(16)";

    /** Whether row {@code m} has a lease that has not run out at {@code ?1}. */
    static final String LEASED = "(m.token <> " + NO_TOKEN + " AND m.ready_at > ?1)";

    /** Whether row {@code m} has a lease that ends too far ahead of {@code ?1}: {@link StepBack} says what becomes of it. */
    static final String TOO_LONG =
            "(m.token <> " + NO_TOKEN + " AND m.ready_at > ?1 AND m.ready_at > ?1 + 2 * m.lease_nanos / 1000)";

    /** The rows that can be taken at {@code ?1}: an index leads to them. */
    static final String AVAILABLE = "m.ready_at <= ?1";

    private LeaseTimes() {}
}
