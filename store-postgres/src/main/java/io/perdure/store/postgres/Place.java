package io.perdure.store.postgres;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.sql.SQLException;

/**
 * What there is under the schema's name.
 *
 * @param schema whether there is such a schema
 * @param table whether it has the table of migrations, which makes it Perdure's
 */
record Place(boolean schema, boolean table) {
    /** Asks the catalog; throws {@code PD-206} for a schema with something else in it. */
    static Place of(Session session, PostgresUrl url) throws SQLException {
        return session.first("""
                        SELECT space.oid IS NOT NULL,
                            EXISTS (SELECT FROM pg_class WHERE relnamespace = space.oid AND relname = 'migration'),
                            (SELECT count(*) FROM pg_class WHERE relnamespace = space.oid)
                                + (SELECT count(*) FROM pg_proc WHERE pronamespace = space.oid)
                                + (SELECT count(*) FROM pg_type WHERE typnamespace = space.oid)
                        FROM (SELECT 1) one LEFT JOIN pg_namespace space ON space.nspname = ?
                        """, row -> checked(row, url), url.schema()).orElseThrow();
    }

    private static Place checked(Row row, PostgresUrl url) throws SQLException {
        Place place = new Place(row.flag(1), row.flag(2));
        if (!place.table && row.integer(3) > 0) {
            throw foreign(url, "There are %s things in it.".formatted(row.integer(3)));
        }
        return place;
    }

    static StoreException foreign(PostgresUrl url, String why) {
        return new StoreException(
                ErrorCode.NOT_A_STORE,
                "The schema \"%s\" of the database \"%s\" on %s belongs to another program. %s Name another with perdure.schema."
                        .formatted(url.schema(), url.database(), url.server(), why));
    }
}
