package io.perdure.store.sqlite;

/**
 * Counts what one transaction of a sweep does. A sweep is as many transactions as it takes: all commits of the file wait for the
 * one in progress, so each removes few rows and takes little time, and those that wait go between two of them.
 *
 * <p>How long a row takes depends on its size, and SQLite cannot be stopped within a statement. So the first statement is small,
 * and each may remove twice as many rows as the one before while there is time.
 */
final class Turn {
    /** Events of runs that went on side by side lie a page apart: this many rows are at most 4 MiB of log. */
    static final int MOST_ROWS = 1_000;

    private static final long MOST_NANOS = 10_000_000;
    private static final int FIRST_ROWS = 64;

    private final long begun = System.nanoTime();
    private int rows;
    private int next = FIRST_ROWS;

    /** How many rows the next statement may remove. */
    int next() {
        return Math.min(next, MOST_ROWS - rows);
    }

    /** Notes that a statement removed this many rows. */
    void removed(int count) {
        rows += count;
        next = Math.min(2 * next, MOST_ROWS);
    }

    /** Whether the transaction has done enough. It has not before it removed anything. */
    boolean isOver() {
        return rows >= MOST_ROWS || (rows > 0 && System.nanoTime() - begun >= MOST_NANOS);
    }
}
