package io.perdure.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Makes the pools that lead to the server, and connections beside them, each with our settings.
 *
 * <p>An idle process holds one connection and sends nothing over it. What a pool hands out after half a second of rest it asks
 * first whether it is still alive: so a restart of the server is seldom met in the middle of something.
 */
final class Pools {
    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final Duration ALIVE = Duration.ofSeconds(3);
    private static final Duration IDLE = Duration.ofMinutes(2);
    private static final Duration LIFETIME = Duration.ofMinutes(30);

    /** One for the engine, which extends in bulk, and one for receivers, so that neither waits for the other. */
    static final int LEASE_CONNECTIONS = 2;

    /** Longer than any statement may take, shorter than a lease: past this the answer would be of no use. */
    private static final Duration LEASE_ANSWER = Duration.ofSeconds(7);

    private Pools() {}

    /** Makes the pool for all but leases, which connects in the background. */
    static HikariDataSource forWork(PostgresUrl url) {
        HikariConfig config = configured(url, source(url));
        config.setPoolName("perdure");
        config.setMaximumPoolSize(url.connections());
        config.setMinimumIdle(1);
        return new HikariDataSource(config);
    }

    /**
     * Makes another pool, for leases that are extended: they must not queue behind flushes, which may take all connections of the
     * other one for longer than a lease has left. It holds no connection before one is asked for.
     */
    static HikariDataSource forLeases(PostgresUrl url) {
        PGSimpleDataSource source = source(url);
        source.setSocketTimeout(Math.toIntExact(LEASE_ANSWER.toSeconds()));
        HikariConfig config = configured(url, source);
        config.setPoolName("perdure-leases");
        config.setMaximumPoolSize(LEASE_CONNECTIONS);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    private static HikariConfig configured(PostgresUrl url, DataSource source) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setAutoCommit(true);
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(WAIT.toMillis());
        config.setValidationTimeout(ALIVE.toMillis());
        config.setIdleTimeout(IDLE.toMillis());
        config.setMaxLifetime(LIFETIME.toMillis());
        // Keeping a connection alive is left to TCP: the pool would send a query.
        config.setKeepaliveTime(0);
        if (url.pooler() == PostgresUrl.Pooler.NONE) {
            config.setConnectionInitSql(SessionSettings.forSession());
        }
        return config;
    }

    /** Opens a connection with our settings; throws {@code PD-208}, or {@code PD-210} for a parameter that the driver refuses. */
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
