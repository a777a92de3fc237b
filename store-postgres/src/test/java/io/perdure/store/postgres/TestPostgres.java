package io.perdure.store.postgres;

import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import org.postgresql.PGProperty;

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

    /**
     * Opens a session without any time limit, for what a test itself does. The store's limits bound what the store does: under
     * them a test would fail whenever the machine stands still for seconds.
     */
    static Connection connect(PostgresUrl url) {
        Properties properties = new Properties();
        properties.putAll(url.driver());
        for (PGProperty limit :
                new PGProperty[] {PGProperty.CONNECT_TIMEOUT, PGProperty.LOGIN_TIMEOUT, PGProperty.SOCKET_TIMEOUT}) {
            limit.set(properties, 0);
        }
        if (url.pooler() == PostgresUrl.Pooler.NONE) {
            // A database may have limits of its own. Behind a pooler the options would be refused.
            PGProperty.OPTIONS.set(
                    properties, "-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0");
        }
        try {
            return DriverManager.getConnection(url.jdbc(), properties);
        } catch (SQLException e) {
            throw new AssertionError("No session at " + url, e);
        }
    }

    /** Runs statements, of which several are one transaction, without any time limit. */
    static void run(PostgresUrl url, String sql) {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
