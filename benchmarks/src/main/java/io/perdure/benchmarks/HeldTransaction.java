package io.perdure.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A transaction that somebody forgot: it has a snapshot and a number, so the server keeps every row that was there when it began,
 * and all that died since.
 */
final class HeldTransaction implements AutoCloseable {
    private final Connection connection;

    private HeldTransaction(Connection connection) {
        this.connection = connection;
    }

    static HeldTransaction begin(PostgresTarget target) throws SQLException {
        Connection connection = target.connect();
        try (Statement statement = connection.createStatement()) {
            // A sensible server ends such transactions by itself.
            statement.execute("SET idle_in_transaction_session_timeout = 0");
            statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
            statement.execute("SELECT pg_current_xact_id(), count(*) FROM migration");
        }
        return new HeldTransaction(connection);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
