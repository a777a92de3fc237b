package io.perdure.core.store;

/**
 * What a store did, to be divided by what was asked of it: the difference of two looks.
 *
 * @param flushes how often it made something durable
 * @param rows how many rows it inserted, changed or deleted
 */
public record Effort(long flushes, long rows) {
    /** What was done since an earlier look. */
    public Effort since(Effort earlier) {
        return new Effort(flushes - earlier.flushes, rows - earlier.rows);
    }
}
