package io.perdure.store.postgres;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * A migration that a database has behind it, as its own table says.
 *
 * @param sha256 of the file that was applied
 */
record Applied(int number, String name, String sha256, int readableSince) {
    private static final Set<String> NO_TABLE = Set.of("42P01", "3F000");
    private static final String NO_COLUMN = "42703";

    /**
     * All of them in their order: one query where all is well. Not for use in a transaction, which would not survive that there
     * is no table. Throws {@code PD-206} for a schema that is somebody else's.
     */
    static List<Applied> look(Session session, PostgresUrl url) throws SQLException {
        try {
            return read(session, url);
        } catch (SQLException e) {
            if (!NO_TABLE.contains(e.getSQLState())) {
                throw e;
            }
            Place.of(session, url);
            return List.of();
        }
    }

    /** The same where the table is known to be there. */
    static List<Applied> read(Session session, PostgresUrl url) throws SQLException {
        try {
            return session.list(
                    "SELECT number, name, sha256, readable_since FROM perdure.migration ORDER BY number",
                    row -> new Applied(row.small(1), row.text(2), row.text(3), row.small(4)));
        } catch (SQLException e) {
            if (NO_COLUMN.equals(e.getSQLState())) {
                throw Place.foreign(url, "Its table \"migration\" is not Perdure's.");
            }
            throw e;
        }
    }

    /** Throws {@code PD-207} where this process cannot work with what a newer one made, {@code PD-206} where a text differs. */
    static void check(List<Applied> applied, List<Migration> known, PostgresUrl url) {
        int newest = known.size();
        for (Applied one : applied) {
            if (one.number > newest && one.readableSince > newest) {
                throw new StoreException(
                        ErrorCode.STORE_NEWER,
                        "The schema \"%s\" of %s has migration %s, which works with releases that know migration %s; this one knows %s."
                                .formatted(url.schema(), url, one.number, one.readableSince, newest));
            }
            if (one.number <= newest
                    && !one.sha256.equals(known.get(one.number - 1).sha256())) {
                throw new StoreException(
                        ErrorCode.NOT_A_STORE,
                        "Migration %s (%s) of the schema \"%s\" of %s has SHA-256 %s, but in this release %s: it was made by a"
                                        .formatted(
                                                one.number,
                                                one.name,
                                                url.schema(),
                                                url,
                                                one.sha256,
                                                known.get(one.number - 1).sha256())
                                + " build of Perdure that was never released, or edited.");
            }
        }
    }
}
