package io.perdure.store.sqlite;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.sql.SQLException;

/** Says what an error of SQLite means to a user of Perdure. */
final class SqliteErrors {
    private SqliteErrors() {}

    static StoreException of(SQLException e) {
        return new StoreException(ErrorCode.STORE_FAILED, "SQLite answered: " + e.getMessage(), e);
    }
}
