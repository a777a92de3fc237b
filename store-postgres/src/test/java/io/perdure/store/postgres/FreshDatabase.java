package io.perdure.store.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/**
 * An empty database of its own for a test. When the test is over nobody gets in any more, and who is left in it is thrown out. Its files go with
 * the server: to drop it would wait for a checkpoint of all the others, half a second each.
 */
final class FreshDatabase implements AutoCloseable {
    private final PostgresUrl server;
    private final String name = "test_" + UUID.randomUUID().toString().replace("-", "");

    /** On the server that tests share. */
    FreshDatabase() {
        this(TestPostgres.url());
    }

    /** On the server that this URL leads to. */
    FreshDatabase(String serverUrl) {
        server = PostgresUrl.parse(serverUrl);
        onServer("CREATE DATABASE " + name);
    }

    private FreshDatabase(FreshDatabase template) {
        server = template.server;
        onServer("CREATE DATABASE %s TEMPLATE %s".formatted(name, template.name));
    }

    /** A copy of this database, to which nothing may be connected: much faster than running the migrations again. */
    FreshDatabase copy() {
        return new FreshDatabase(this);
    }

    String name() {
        return name;
    }

    /** With our own parameters, such as {@code perdure.schema=app}, each after an ampersand. */
    PostgresUrl url(String... parameters) {
        return PostgresUrl.parse(text(parameters));
    }

    String text(String... parameters) {
        StringBuilder url = new StringBuilder("jdbc:postgresql://" + server.server() + "/" + name + "?");
        for (String key : new String[] {"user", "password"}) {
            if (server.driver().containsKey(key)) {
                url.append(key).append('=').append(server.driver().get(key)).append('&');
            }
        }
        return url + String.join("&", parameters);
    }

    /** A session of the superuser without any time limit. */
    Connection session() {
        return TestPostgres.connect(url());
    }

    /** Runs statements as the superuser, without any time limit. */
    void run(String sql) {
        TestPostgres.run(url(), sql);
    }

    /** Reads one text as the superuser, without any time limit. */
    String read(String sql) {
        try (Connection connection = session();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            if (!rows.next()) {
                throw new AssertionError("No row: " + sql);
            }
            return rows.getString(1);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    private void onServer(String sql) {
        TestPostgres.run(server, sql);
    }

    @Override
    public void close() {
        onServer("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false");
        onServer("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'");
    }
}
