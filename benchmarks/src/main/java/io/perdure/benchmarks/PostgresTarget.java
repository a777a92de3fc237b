package io.perdure.benchmarks;

import io.perdure.benchmarks.Stopwatch.Measured;
import io.perdure.core.store.Effort;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.WorkflowName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Schemas of a Postgres, each made for the purpose and dropped afterwards: a server of our own, or the user's. One that was there
 * before is never used, whatever its name.
 */
final class PostgresTarget implements Target {
    /** What an administrator would choose for two cores and 24 GiB. A commit is on disk before it is answered. */
    private static final Map<String, String> SETTINGS = Map.of(
            "fsync", "on",
            "synchronous_commit", "on",
            "full_page_writes", "on",
            "wal_compression", "off",
            "shared_buffers", "1GB",
            "effective_cache_size", "8GB",
            "max_wal_size", "4GB",
            "checkpoint_timeout", "15min");

    private static final List<String> SHOWN = List.of(
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "wal_compression",
            "shared_buffers",
            "max_wal_size",
            "checkpoint_timeout");

    /** Those that claims, extensions and reads take beside the lanes. */
    private static final int OTHER_CONNECTIONS = 4;

    private static final String DUPLICATE_SCHEMA = "42P06";

    /** Sessions hand in their figures once a second, and the last of them when they end, a moment after they were closed. */
    private static final Duration SETTLES = Duration.ofMillis(500);

    private static final int MOST_LOOKS = 30;

    private final Environment environment = new SystemEnvironment();
    private final ServerUrl url;
    private final @Nullable PrivatePostgres server;
    private @Nullable String schema;
    private @Nullable Store meter;
    private int schemas;
    private boolean closed;

    private PostgresTarget(ServerUrl url, @Nullable PrivatePostgres server) {
        this.url = url;
        this.server = server;
    }

    /** Starts a server in a folder. */
    static PostgresTarget in(Path folder) {
        PrivatePostgres server = PrivatePostgres.start(PostgresBinaries.bundled(), SETTINGS, folder);
        return new PostgresTarget(ServerUrl.parse(server.url()), server);
    }

    /** Uses a server that is there; throws with a code where it cannot be reached. */
    static PostgresTarget at(ServerUrl url) {
        // Connects and changes nothing. The store's own errors say more than the driver's.
        Stores.migration(url.store("perdure_bench")).missing();
        PostgresTarget target = new PostgresTarget(url, null);
        // Who breaks it off is to find no schema left behind.
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(target::close));
        return target;
    }

    @Override
    public synchronized String fresh() {
        drop();
        String made = newSchema();
        schema = made;
        String store = url.store(made);
        Engine.open(store).close();
        meter = Stores.open(store, environment, Limits.defaults());
        return store;
    }

    /** Only one that this call creates, so that what is dropped later was nobody's. */
    private String newSchema() {
        while (true) {
            schemas++;
            String name = "perdure_bench_" + schemas;
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE SCHEMA " + name);
                return name;
            } catch (SQLException e) {
                if (!DUPLICATE_SCHEMA.equals(e.getSQLState())) {
                    throw new IllegalStateException("The schema " + name + " cannot be created.", e);
                }
            }
        }
    }

    private void drop() {
        if (meter != null) {
            meter.close();
            meter = null;
        }
        if (schema != null) {
            execute("DROP SCHEMA " + schema + " CASCADE");
            schema = null;
        }
    }

    @Override
    public JobTable jobTable(int connections) {
        fresh();
        return PostgresJobTable.open(url.jdbc(schema()), connections);
    }

    @Override
    public List<Integer> poolSizes() {
        return List.of(4, 8, 16, 32, 64);
    }

    @Override
    public List<Integer> loneLanes() {
        return List.of(8, 16, 32, 64);
    }

    @Override
    public String fresh(int lanes) {
        fresh();
        return url.store(schema(), lanes + OTHER_CONNECTIONS);
    }

    /** A connection of the driver's to the newest store, outside of Perdure. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(url.jdbc(schema == null ? "public" : schema));
    }

    /** The schema of the newest store. */
    String schema() {
        return Optional.ofNullable(schema).orElseThrow();
    }

    /** Runs one statement outside of Perdure. */
    void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Waits until the server's figures stand still: those of sessions that have ended come a moment later. */
    @Override
    public Effort effort() {
        Store store = Optional.ofNullable(meter).orElseThrow();
        Effort seen = store.effort();
        try {
            for (int look = 0; look < MOST_LOOKS; look++) {
                environment.sleep(SETTLES);
                Effort now = store.effort();
                if (now.rows() == seen.rows()) {
                    return now;
                }
                seen = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted.", e);
        }
        return seen;
    }

    /** Over the whole run: the server's figures come too late for the span, and would be another span's. */
    @Override
    public Measured settled(Measured measured, Effort before) {
        return measured.over(effort().since(before));
    }

    /** Those of the write-ahead log, of everybody who uses the server. */
    @Override
    public OptionalLong bytesWritten() {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint")) {
            result.next();
            return OptionalLong.of(result.getLong(1));
        } catch (SQLException e) {
            throw new IllegalStateException("The server does not tell how much it has logged.", e);
        }
    }

    @Override
    public void retire(String store, WorkflowName workflow) {
        execute("UPDATE %s.run_at_rest SET retires_at = 1 WHERE workflow = '%s' AND retires_at IS NOT NULL"
                .formatted(schema(), workflow));
    }

    @Override
    public void rest() {
        try (Connection connection = connect();
                PreparedStatement look = connection.prepareStatement("""
                        SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables
                        WHERE schemaname = ?""")) {
            look.setString(1, schema());
            try (ResultSet names = look.executeQuery();
                    Statement vacuum = connection.createStatement()) {
                while (names.next()) {
                    vacuum.execute("VACUUM (ANALYZE) " + names.getString(1));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("The tables cannot be vacuumed.", e);
        }
        if (server != null) {
            execute("CHECKPOINT");
        }
    }

    @Override
    public String description() {
        List<String> words = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            words.add("Postgres " + setting(statement, "server_version"));
            for (String name : SHOWN) {
                words.add(name + "=" + setting(statement, name));
            }
            words.add(server == null ? "a server that was there" : "files on " + fileSystem(server.folder()));
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("The server does not tell its settings.", e);
        }
        return String.join(", ", words);
    }

    private static String setting(Statement statement, String name) throws SQLException {
        try (ResultSet result = statement.executeQuery("SHOW " + name)) {
            result.next();
            return result.getString(1);
        }
    }

    private static String fileSystem(Path folder) throws IOException {
        return Files.getFileStore(folder).type();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            drop();
        } finally {
            if (server != null) {
                server.close();
            }
        }
    }
}
