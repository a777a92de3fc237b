package io.perdure.store.postgres;

import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import java.util.Map;

/**
 * The server that tests share which crash nothing: started by the first that asks, ended with the tests. It writes its log, so
 * that commits are real, but does not wait for the disk.
 */
final class TestPostgres {
    private static final class Shared {
        static final PrivatePostgres SERVER =
                PrivatePostgres.start(PostgresBinaries.bundled(), Map.of("fsync", "off", "full_page_writes", "off"));
    }

    private static final class Breakable {
        static final PrivatePostgres SERVER = PrivatePostgres.start(PostgresBinaries.bundled(), Map.of("fsync", "off"));
    }

    private TestPostgres() {}

    /** Of a superuser and any database. */
    static String url() {
        return Shared.SERVER.url();
    }

    static PrivatePostgres server() {
        return Shared.SERVER;
    }

    /** Another one, for tests that crash or freeze it, and leave it running. What it answered survives its own end. */
    static PrivatePostgres breakable() {
        return Breakable.SERVER;
    }
}
