package io.perdure.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/**
 * One server for all test classes, started by the first. Nobody closes it: the watchdog does when the tests are over. It syncs
 * nothing to the disk, which a crash of its processes alone cannot show.
 */
final class SharedServer {
    private static final PrivatePostgres SERVER =
            PrivatePostgres.start(PostgresBinaries.bundled(), Map.of("fsync", "off"));

    private SharedServer() {}

    static PrivatePostgres get() {
        return SERVER;
    }

    static void update(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String ask(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            return ask(connection, sql);
        }
    }

    static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
