package io.perdure.store.sqlite;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Says what an error of SQLite means to a user of Perdure. */
final class SqliteErrors {
    /** With less than this left an input or output error is put down to the full disk: SQLite does not tell the cause. */
    private static final long NO_ROOM_BYTES = 64 * 1024;

    private SqliteErrors() {}

    /** Translates an error by its result code; the extended ones count as what they extend. */
    static StoreException of(SQLException e, Path file) {
        if (e.getCause() instanceof NativeLibraryNotFoundException missing) {
            return new StoreException(ErrorCode.STORE_FAILED, noLibrary(missing), e);
        }
        ErrorCode code = code(e, file);
        return new StoreException(code, "%s: %s.".formatted(what(code, file), sentence(e)), e);
    }

    /**
     * Whether an error is about what was to be written, or a fault in a rule of ours, and not about the database as a whole:
     * then what came before and after it is not concerned.
     */
    static boolean isAboutValues(RuntimeException e) {
        if (!(e instanceof PerdureException)) {
            return true;
        }
        return e.getCause() instanceof SQLiteException cause
                && switch (primary(cause.getResultCode())) {
                    case SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE -> true;
                    default -> false;
                };
    }

    private static ErrorCode code(SQLException e, Path file) {
        if (!(e instanceof SQLiteException failure)) {
            return ErrorCode.STORE_FAILED;
        }
        return switch (primary(failure.getResultCode())) {
            case SQLITE_FULL -> ErrorCode.STORE_FULL;
            // The last one is how too many who open a log at the same time show.
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL -> ErrorCode.STORE_BUSY;
            case SQLITE_NOTADB -> ErrorCode.NOT_A_STORE;
            case SQLITE_CORRUPT -> ErrorCode.STORE_DAMAGED;
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH -> ErrorCode.STORE_UNREACHABLE;
            case SQLITE_IOERR -> isFull(file) ? ErrorCode.STORE_FULL : ErrorCode.STORE_FAILED;
            default -> ErrorCode.STORE_FAILED;
        };
    }

    private static SQLiteErrorCode primary(SQLiteErrorCode code) {
        return SQLiteErrorCode.getErrorCode(code.code & 0xff);
    }

    /** Asks the file system, without opening anything. */
    private static boolean isFull(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        // A folder that is gone has no room either, but that is another trouble.
        return folder != null
                && folder.toFile().isDirectory()
                && folder.toFile().getUsableSpace() < NO_ROOM_BYTES;
    }

    private static String what(ErrorCode code, Path file) {
        String form = switch (code) {
            case STORE_FULL -> "The database %s has no room to grow";
            case STORE_BUSY -> "The database %s was locked by another connection for too long";
            case NOT_A_STORE -> "The file %s is not a SQLite database";
            case STORE_DAMAGED -> "The database %s is damaged";
            case STORE_UNREACHABLE -> "The database %s cannot be opened for reading and writing";
            default -> "SQLite failed on the database %s";
        };
        return form.formatted(file);
    }

    private static String sentence(SQLException e) {
        String message = String.valueOf(e.getMessage());
        return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
    }

    private static String noLibrary(NativeLibraryNotFoundException missing) {
        return "SQLite's native library could not be loaded: %s. It is unpacked into the folder that java.io.tmpdir or"
                        .formatted(missing.getMessage())
                + " org.sqlite.tmpdir names, which must allow programs to be run from it.";
    }
}
