package io.perdure.store.sqlite;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Refuses a SQLite that can lose data. A newer driver than ours, or a library of the system, may bring another. */
final class SqliteVersion {
    /** Older ones can corrupt a database when a write-ahead log is begun anew: https://sqlite.org/wal.html#walresetbug. */
    static final String OLDEST = "3.51.3";

    private static final Pattern FORM = Pattern.compile("\\d{1,4}(\\.\\d{1,4}){2,3}");

    private SqliteVersion() {}

    static void check(Session session) {
        check(session.first("SELECT sqlite_version()", row -> row.text(1)).orElseThrow());
    }

    static void check(String version) {
        if (!FORM.matcher(version).matches() || Arrays.compare(numbers(version), numbers(OLDEST)) < 0) {
            throw new StoreException(
                    ErrorCode.STORE_FAILED,
                    "The SQLite library is version %s; Perdure needs %s or newer, because older ones can corrupt a database."
                                    .formatted(version, OLDEST)
                            + " Use the sqlite-jdbc that Perdure names.");
        }
    }

    private static int[] numbers(String version) {
        return Pattern.compile("\\.")
                .splitAsStream(version)
                .mapToInt(Integer::parseInt)
                .toArray();
    }
}
