package io.perdure.store.postgres;

import io.perdure.core.store.Effort;
import java.sql.SQLException;

/**
 * What the server did, by its own figures: flushes of its log, and rows of our schema. They are for everybody who uses it, begin
 * before the store was opened, and come up to a second late; two looks are to be compared, with nobody else at work.
 */
final class Meter {
    /** From here on the flushes of the log are counted with all other input and output. */
    private static final int COUNTED_WITH_ALL_ELSE = 180_000;

    private static final String FLUSHES = "SELECT wal_sync FROM pg_stat_wal";
    private static final String FLUSHES_SINCE_18 =
            "SELECT coalesce(sum(fsyncs), 0)::bigint FROM pg_stat_io WHERE object = 'wal' AND context = 'normal'";

    private static final String ROWS = """
            SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint FROM pg_stat_user_tables
            WHERE relid IN (SELECT t.oid FROM pg_class t JOIN pg_class m ON m.relnamespace = t.relnamespace
                            WHERE m.oid = 'perdure.migration'::regclass)""";

    private Meter() {}

    static Effort read(Session session) throws SQLException {
        long version = session.number("SELECT current_setting('server_version_num')::bigint");
        return new Effort(
                session.number(version >= COUNTED_WITH_ALL_ELSE ? FLUSHES_SINCE_18 : FLUSHES), session.number(ROWS));
    }
}
