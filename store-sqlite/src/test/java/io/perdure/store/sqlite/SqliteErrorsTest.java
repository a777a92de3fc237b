package io.perdure.store.sqlite;

import static io.perdure.store.sqlite.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class SqliteErrorsTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "SQLITE_FULL, PD-204",
        "SQLITE_BUSY, PD-205",
        "SQLITE_BUSY_SNAPSHOT, PD-205",
        "SQLITE_LOCKED, PD-205",
        "SQLITE_LOCKED_SHAREDCACHE, PD-205",
        "SQLITE_PROTOCOL, PD-205",
        "SQLITE_NOTADB, PD-206",
        "SQLITE_CANTOPEN, PD-208",
        "SQLITE_CANTOPEN_ISDIR, PD-208",
        "SQLITE_PERM, PD-208",
        "SQLITE_READONLY, PD-208",
        "SQLITE_READONLY_DBMOVED, PD-208",
        "SQLITE_AUTH, PD-208",
        "SQLITE_CORRUPT, PD-212",
        "SQLITE_CORRUPT_VTAB, PD-212",
        "SQLITE_IOERR, PD-213",
        "SQLITE_IOERR_FSYNC, PD-213",
        "SQLITE_CONSTRAINT_UNIQUE, PD-213",
        "SQLITE_NOMEM, PD-213",
        "UNKNOWN_ERROR, PD-213",
    })
    void everyResultCodeHasItsMeaning(SQLiteErrorCode result, String code) {
        Path file = folder.resolve("app.db");
        SQLiteException cause = new SQLiteException("[%s] what SQLite says".formatted(result), result);

        assertThat(SqliteErrors.of(cause, file))
                .hasMessageStartingWith(code + " ")
                .hasMessageContaining(file.toString())
                .hasMessageContaining("[%s] what SQLite says.".formatted(result))
                .hasCause(cause);
    }

    /** Nothing can be stored under this folder: the system says that it has 0 bytes left. */
    @Test
    void anInputOrOutputErrorWithoutRoomIsAFullDisk() {
        SQLiteException cause = new SQLiteException("disk I/O error", SQLiteErrorCode.SQLITE_IOERR_WRITE);

        assertThat(SqliteErrors.of(cause, Path.of("/proc/app.db")).code()).isEqualTo(ErrorCode.STORE_FULL);
        assertThat(SqliteErrors.of(cause, Path.of("/nowhere/app.db")).code()).isEqualTo(ErrorCode.STORE_FAILED);
    }

    @Test
    void anErrorOfTheDriverIsAFailure() {
        assertThat(SqliteErrors.of(new SQLException("stmt pointer is closed"), folder)
                        .code())
                .isEqualTo(ErrorCode.STORE_FAILED);
    }

    @Test
    void aFullDatabaseKeepsWhatItHasAndGoesOnWhenThereIsRoom() {
        String insert = "INSERT INTO lane_batch VALUES (?, 1, 1, 1, 1, ?)";
        try (Session writer = DatabaseFile.at(folder.resolve("app.db")).openWriter()) {
            writer.execute("PRAGMA max_page_count = " + writer.number("PRAGMA page_count"));

            refuses(() -> writer.update(insert, new byte[16], new byte[1 << 20]), ErrorCode.STORE_FULL)
                    .hasMessageContaining("app.db has no room to grow");
            assertThat(writer.number("SELECT count(*) FROM lane_batch")).isZero();
            writer.update("UPDATE clock SET latest = 1");

            writer.execute("PRAGMA max_page_count = 1000000");
            assertThat(writer.update(insert, new byte[16], new byte[1 << 20])).isEqualTo(1);
        }
    }

    @Test
    void aLockThatIsHeldTooLongIsBusy() {
        DatabaseFile database = DatabaseFile.at(folder.resolve("app.db"));
        try (Session holder = database.openWriter();
                Session other = database.openWriter()) {
            holder.execute("BEGIN IMMEDIATE");
            other.execute("PRAGMA busy_timeout = 0");

            refuses(() -> other.execute("BEGIN IMMEDIATE"), ErrorCode.STORE_BUSY)
                    .hasMessageContaining("app.db was locked by another connection");

            holder.execute("ROLLBACK");
            other.execute("BEGIN IMMEDIATE");
            other.execute("ROLLBACK");
        }
    }

    @Test
    void aFailedStatementLeavesTheSessionUsable() {
        try (Session writer = DatabaseFile.at(folder.resolve("app.db")).openWriter()) {
            refuses(() -> writer.update("INSERT INTO clock VALUES (1, 0)"), ErrorCode.STORE_FAILED);
            refuses(() -> writer.update("INSERT INTO clock VALUES (1, 0)"), ErrorCode.STORE_FAILED);
            refuses(() -> writer.execute("SELECT * FROM nothing"), ErrorCode.STORE_FAILED);

            assertThat(writer.update("UPDATE clock SET latest = 1")).isEqualTo(1);
        }
    }
}
