package io.perdure.store.sqlite;

import java.util.function.LongSupplier;

/**
 * Counts what one transaction of a sweep does. A sweep is as many transactions as it takes: all commits of the file wait for the
 * one in progress, so each removes few rows and takes little time, and those that wait go between two of them.
 *
 * <p>How long a row takes depends on its size, and SQLite cannot be stopped within a statement. So the first statement is small. Each
 * may remove twice as many rows as the one before, but no more than there is time for if they take as long as those until now.
 */
final class Turn {
    /** Events of runs that went on side by side lie a page apart: this many rows are at most 4 MiB of log. */
    static final int MOST_ROWS = 1_000;

    static final long MOST_NANOS = 10_000_000;
    static final int FIRST_ROWS = 16;

    private final LongSupplier nanoTime;
    private final long begun;
    private int rows;
    private int next = FIRST_ROWS;

    Turn() {
        this(System::nanoTime);
    }

    /** Begins by a clock. */
    Turn(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.begun = nanoTime.getAsLong();
    }

    /** How many rows the next statement may remove. */
    int next() {
        return Math.min(next, MOST_ROWS - rows);
    }

    /** Notes that a statement removed this many rows. */
    void removed(int count) {
        rows += count;
        long taken = Math.max(1, taken());
        long inTime = Math.max(0, MOST_NANOS - taken) * rows / taken;
        next = Math.clamp(inTime, 1, Math.min(2 * next, MOST_ROWS));
    }

    /** Whether the transaction has done enough. It has not before it removed anything. */
    boolean isOver() {
        return rows >= MOST_ROWS || (rows > 0 && taken() >= MOST_NANOS);
    }

    private long taken() {
        return nanoTime.getAsLong() - begun;
    }
}
