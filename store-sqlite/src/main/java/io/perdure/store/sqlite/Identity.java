package io.perdure.store.sqlite;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.nio.file.Path;

/**
 * Whose database a file is, as the file itself says.
 *
 * @param application the number of the program that made it; 0 where none said so
 * @param version of the schema
 * @param objects how many tables, indexes and the like there are
 */
record Identity(long application, long version, long objects) {
    /** "PRDR" in ASCII. */
    static final long PERDURE = 0x50524452;

    /** Reads it, all of one moment. */
    static Identity of(Session session) {
        return session.first("""
                        SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
                        FROM pragma_application_id, pragma_user_version
                        """, row -> new Identity(row.integer(1), row.integer(2), row.integer(3)))
                .orElseThrow();
    }

    /** Throws {@code PD-206} for what is somebody else's, {@code PD-207} for what a newer Perdure wrote. */
    Identity check(Path file, long newest) {
        if (!isPerdure() && !isEmpty()) {
            throw new StoreException(
                    ErrorCode.NOT_A_STORE,
                    "The database %s belongs to another program (application_id %s, user_version %s, %s objects)."
                            .formatted(file, application, version, objects));
        }
        if (version > newest) {
            throw new StoreException(
                    ErrorCode.STORE_NEWER,
                    "The database %s has schema version %s; this Perdure knows versions up to %s."
                            .formatted(file, version, newest));
        }
        return this;
    }

    boolean isPerdure() {
        return application == PERDURE;
    }

    /** Whether nothing was ever put into it: then it may be taken. */
    boolean isEmpty() {
        return application == 0 && version == 0 && objects == 0;
    }
}
