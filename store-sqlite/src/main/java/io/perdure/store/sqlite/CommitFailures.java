package io.perdure.store.sqlite;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What it means when {@code COMMIT} itself fails. */
final class CommitFailures {
    private CommitFailures() {}

    /**
     * A full disk is found while the log is written, before the frame that makes a transaction whole: nothing happened. Any
     * other failure may have come after that frame, and a crash right now would bring the transaction back: its outcome is
     * unknown until the batch is sent again, or something else was written over it.
     */
    static StoreException told(StoreException failure) {
        return foundWhileWriting(failure)
                ? failure
                : new StoreException(
                        ErrorCode.OUTCOME_UNKNOWN,
                        "SQLite failed while it made a transaction durable: " + failure.getMessage(),
                        failure);
    }

    private static boolean foundWhileWriting(StoreException failure) {
        return failure.getCause() instanceof SQLiteException cause
                && (cause.getResultCode() == SQLiteErrorCode.SQLITE_FULL
                        || cause.getResultCode() == SQLiteErrorCode.SQLITE_BUSY);
    }
}
