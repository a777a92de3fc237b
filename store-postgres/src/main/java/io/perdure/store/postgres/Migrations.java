package io.perdure.store.postgres;

import io.perdure.core.store.StoreMigration;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Sha256;
import io.perdure.sdk.StoreException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Brings the schema to what this Perdure needs. What is missing is applied in one transaction under a lock of its own, so that
 * a crash leaves the schema before or after, and of fifty processes that start at once one does the work. In the usual case there
 * is nothing to do, which one query tells.
 *
 * <p>A schema that a newer release changed is used where each of its newer migrations says that this is safe: that is a rolling
 * deploy.
 */
final class Migrations implements StoreMigration {
    /** Named here and not found by listing a folder, which a module or a jar cannot be asked for. A test compares. */
    static final List<Migration> ALL = Migration.named(
            "0001_tables.sql",
            "0002_queues.sql",
            "0003_runs.sql",
            "0004_flush.sql",
            "0005_leases.sql",
            "0006_sweeps.sql",
            "0007_plain_runs.sql",
            "0008_one_commit.sql",
            "0009_figures.sql",
            "0010_api_keys.sql",
            "0011_requests.sql",
            "0012_step_back.sql",
            "0013_inserts.sql");

    private static final int OLDEST_SERVER = 15;

    /** How long to wait for another process that migrates. */
    private static final Duration TURN = Duration.ofSeconds(60);

    /** Past this a server that does not answer is given up; a migration of many rows may take long. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    private static final String CREATE_SCHEMA = "CREATE SCHEMA IF NOT EXISTS perdure";

    private static final String CREATE_TABLE = """
            CREATE TABLE perdure.migration (
                number         int PRIMARY KEY,
                name           text NOT NULL,
                sha256         text NOT NULL,
                readable_since int NOT NULL,
                applied_at     timestamptz NOT NULL DEFAULT now(),
                applied_by     text NOT NULL DEFAULT session_user
            )""";

    private final PostgresUrl url;
    private final SchemaName schema;
    private final List<Migration> known;

    Migrations(PostgresUrl url) {
        this(url, ALL);
    }

    Migrations(PostgresUrl url, List<Migration> known) {
        this.url = url;
        this.schema = new SchemaName(url.schema());
        this.known = known;
    }

    /** Makes the schema ready for use, or refuses with {@code PD-214} where the URL says that it must not be changed. */
    void ready() {
        if (url.migrate() == PostgresUrl.Migrate.AUTO) {
            apply();
            return;
        }
        List<String> missing = missing();
        if (!missing.isEmpty()) {
            throw new StoreException(
                    ErrorCode.STORE_OUTDATED,
                    "The schema \"%s\" of %s lacks %s, and perdure.migrate=check forbids to change it."
                            .formatted(url.schema(), url, String.join(", ", missing)));
        }
    }

    @Override
    public List<String> missing() {
        try (Connection connection = Pools.connect(url)) {
            return lacking(connection).stream().map(Migration::name).toList();
        } catch (SQLException e) {
            throw PostgresErrors.of(e, url);
        }
    }

    @Override
    public int apply() {
        try (Connection connection = Pools.connect(url)) {
            return lacking(connection).isEmpty() ? 0 : applyInTurn(connection);
        } catch (SQLException e) {
            throw PostgresErrors.of(e, url);
        }
    }

    @Override
    public String script() {
        try (Connection connection = Pools.connect(url)) {
            return script(
                    lacking(connection),
                    Applied.look(session(connection, ""), url).isEmpty());
        } catch (SQLException e) {
            throw PostgresErrors.of(e, url);
        }
    }

    @Override
    public String script(int from) {
        if (from < 0 || from > known.size()) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS,
                    "There is no migration %s; this Perdure knows 0 to %s.".formatted(from, known.size()));
        }
        return script(known.subList(from, known.size()), from == 0);
    }

    private String script(List<Migration> missing, boolean fresh) {
        if (missing.isEmpty()) {
            return "-- Nothing is missing.\n";
        }
        String text = missing.stream()
                .map(migration ->
                        "-- " + migration.name() + "\n" + migration.sql().strip() + "\n\n" + insert(migration) + "\n")
                .collect(Collectors.joining("\n"));
        return schema.inScript("""
                -- For an administrator: psql --set ON_ERROR_STOP=1 --file this.sql, as the role that is to own the tables.
                BEGIN;
                SELECT pg_advisory_xact_lock(%s);

                %s%s
                COMMIT;
                """.formatted(
                        lockKey(url.schema()), fresh ? CREATE_SCHEMA + ";\n" + CREATE_TABLE + ";\n\n" : "", text));
    }

    /** Nothing in it needs quoting: the names are ours. */
    private static String insert(Migration migration) {
        return "INSERT INTO perdure.migration (number, name, sha256, readable_since) VALUES (%s, '%s', '%s', %s);"
                .formatted(migration.number(), migration.name(), migration.sha256(), migration.readableSince());
    }

    private List<Migration> lacking(Connection connection) throws SQLException {
        checkServer(connection.getMetaData().getDatabaseMajorVersion(), url);
        return lacking(Applied.look(session(connection, ""), url));
    }

    private List<Migration> lacking(List<Applied> applied) {
        Applied.check(applied, known, url);
        Set<Integer> numbers = applied.stream().map(Applied::number).collect(Collectors.toSet());
        return known.stream()
                .filter(migration -> !numbers.contains(migration.number()))
                .toList();
    }

    static void checkServer(int version, PostgresUrl url) {
        if (version < OLDEST_SERVER) {
            throw new StoreException(
                    ErrorCode.STORE_UNREACHABLE,
                    "The server %s is Postgres %s; Perdure needs %s or newer."
                            .formatted(url.server(), version, OLDEST_SERVER));
        }
    }

    private int applyInTurn(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(PATIENCE.toMillis()));
        Session session = session(connection, """
                SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
                SET LOCAL statement_timeout = 0;
                SET LOCAL lock_timeout = %s;
                """.formatted(TURN.toMillis()));
        session.first("SELECT 1 FROM pg_advisory_xact_lock(?)", row -> row.small(1), lockKey(url.schema()));
        // A table that somebody holds is given up sooner: all others would wait behind us.
        session.script("SET LOCAL lock_timeout = " + SessionSettings.LOCK.toMillis());
        List<Migration> missing = lacking(prepared(session));
        for (Migration migration : missing) {
            session.script(migration.sql());
            session.script(insert(migration));
        }
        connection.commit();
        return missing.size();
    }

    /** Between the first look and the lock another process may have been here. */
    private List<Applied> prepared(Session session) throws SQLException {
        Place place = Place.of(session, url);
        if (place.table()) {
            return Applied.read(session, url);
        }
        if (!place.schema()) {
            // Not asked where there is one: it would take a privilege on the database.
            session.script(CREATE_SCHEMA);
        }
        session.script(CREATE_TABLE);
        return List.of();
    }

    private Session session(Connection connection, String opening) {
        return new Session(connection, schema, opening);
    }

    /** The same in all releases, or two of them could migrate at once. */
    static long lockKey(String schema) {
        return ByteBuffer.wrap(Sha256.of("perdure.migration " + schema)).getLong();
    }
}
