package io.perdure.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Makes the pools that lead to the server, and connections beside them, each with our settings. An idle process holds one
 * connection of its pool and sends nothing over it.
 */
final class Pools {
    /** How long a connection that rested may take to answer. */
    private static final Duration ALIVE = Duration.ofSeconds(3);

    private static final Duration IDLE = Duration.ofMinutes(2);
    private static final Duration LIFETIME = Duration.ofMinutes(30);

    private static final String CAN_WRITE = "SELECT current_setting('transaction_read_only')";

    /** Fails on a server that cannot write: HikariCP asks it after half a second of rest, and looks at no answer. */
    private static final String REQUIRE_WRITABLE = """
            SELECT CAST(CASE current_setting('transaction_read_only')
                WHEN 'on' THEN 'the server accepts no writes for now' ELSE '1' END AS int)\
            """;

    /** One for the engine, which extends in bulk, and one for receivers, so that neither waits for the other. */
    static final int LEASE_CONNECTIONS = 2;

    /** Longer than any statement may take, shorter than a lease: past this the answer would be of no use. */
    private static final Duration LEASE_ANSWER = Duration.ofSeconds(7);

    private Pools() {}

    /** Makes the pool for all but leases. */
    static Pool forWork(PostgresUrl url) {
        return pool(url, source(url), "perdure", url.connections(), 1);
    }

    /**
     * Makes another pool, for leases that are extended: they must not queue behind flushes, which may take all connections of the
     * other one for longer than a lease has left.
     */
    static Pool forLeases(PostgresUrl url) {
        PGSimpleDataSource source = source(url);
        source.setSocketTimeout(Math.toIntExact(LEASE_ANSWER.toSeconds()));
        return pool(url, source, "perdure-leases", LEASE_CONNECTIONS, 0);
    }

    private static Pool pool(PostgresUrl url, PGSimpleDataSource driver, String name, int most, int kept) {
        PrimarySource source = new PrimarySource(() -> opened(url, driver));
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setPoolName(name);
        config.setMaximumPoolSize(most);
        config.setMinimumIdle(0);
        config.setAutoCommit(true);
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(Pool.LOOK.toMillis());
        config.setConnectionTestQuery(REQUIRE_WRITABLE);
        config.setValidationTimeout(ALIVE.toMillis());
        config.setIdleTimeout(IDLE.toMillis());
        config.setMaxLifetime(LIFETIME.toMillis());
        // Keeping a connection alive is left to TCP: the pool would send a query.
        config.setKeepaliveTime(0);
        config.setExceptionOverride(new KeptAfterErrors());
        return new Pool(source, config, kept, Pool.RETURNED);
    }

    /** HikariCP takes SQLSTATE 0A000 for a lost connection, which would make an error that stays look like an outage. */
    private static final class KeptAfterErrors implements SQLExceptionOverride {
        @java.lang.Override
        public Override adjudicate(SQLException e) {
            return PostgresErrors.NOT_SUPPORTED.equals(e.getSQLState())
                    ? Override.DO_NOT_EVICT
                    : Override.CONTINUE_EVICT;
        }
    }

    /** Opens a connection to a server that can write, with our settings. */
    private static Connection opened(PostgresUrl url, PGSimpleDataSource source) throws SQLException {
        Connection connection = source.getConnection();
        try {
            requireWritable(
                    connection, url.pooler() == PostgresUrl.Pooler.NONE ? SessionSettings.forSession() : CAN_WRITE);
            return connection;
        } catch (SQLException e) {
            try (connection) {
                throw e;
            }
        }
    }

    /**
     * Throws if the server does not answer within seconds, or cannot write: then it is a standby, or was the primary until a
     * moment ago, and the connection would lead to it for as long as it lives.
     */
    static void requireWritable(Connection connection) throws SQLException {
        int before = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(ALIVE.toMillis()));
        requireWritable(connection, CAN_WRITE);
        connection.setNetworkTimeout(Runnable::run, before);
    }

    /** @param sql whose last column says whether the server is read-only */
    private static void requireWritable(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            answer.next();
            if (answer.getString(answer.getMetaData().getColumnCount()).equals("on")) {
                throw new SQLNonTransientConnectionException(
                        "the server accepts no writes for now", PostgresErrors.READ_ONLY);
            }
        }
    }

    /** Opens a connection outside of a pool to a server that can write; throws {@code PD-208} if there is none. */
    static Connection connectToPrimary(PostgresUrl url) {
        try {
            return opened(url, source(url));
        } catch (SQLException e) {
            throw PostgresErrors.whileConnecting(e, url);
        }
    }

    /**
     * Opens a connection with our settings to a server that need not be able to write; throws {@code PD-208}, or {@code PD-210} for a
     * parameter that the driver refuses.
     */
    static Connection connect(PostgresUrl url) {
        try {
            Connection connection = source(url).getConnection();
            if (url.pooler() == PostgresUrl.Pooler.NONE) {
                settle(connection);
            }
            return connection;
        } catch (SQLException e) {
            throw PostgresErrors.whileConnecting(e, url);
        }
    }

    private static void settle(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(SessionSettings.forSession());
        } catch (SQLException e) {
            try (connection) {
                throw e;
            }
        }
    }

    private static PGSimpleDataSource source(PostgresUrl url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url.jdbc());
        for (Map.Entry<String, String> property : url.driver().entrySet()) {
            try {
                source.setProperty(property.getKey(), property.getValue());
            } catch (SQLException e) {
                throw PostgresErrors.whileConnecting(e, url);
            }
        }
        if (url.pooler() == PostgresUrl.Pooler.NONE) {
            String given = url.driver().getOrDefault(PGProperty.OPTIONS.getName(), "");
            // Of two for the same setting the server takes the last.
            source.setProperty(PGProperty.OPTIONS, (given + " " + SessionSettings.asOptions()).strip());
        }
        return source;
    }
}
