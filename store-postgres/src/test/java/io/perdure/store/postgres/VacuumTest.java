package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Finding;
import io.perdure.core.store.Finding.Level;
import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.sdk.environment.SystemEnvironment;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What keeps a server from cleaning up, each by doing that to one. What takes an hour or a billion has lower bounds here. */
class VacuumTest {
    private static final Vacuum.Bounds AT_ONCE = new Vacuum.Bounds(Duration.ZERO, 1_000, 200);
    private static final Vacuum.Bounds NEVER = new Vacuum.Bounds(Duration.ofDays(1), Long.MAX_VALUE, Long.MAX_VALUE);

    /** Statistics reach others a second later, unless one asks for them now. */
    private static final String DEAD_ROWS = """
            INSERT INTO perdure.run_count SELECT 'acme', 'w', 'completed', n, 1 FROM generate_series(1, 2000) n;
            DELETE FROM perdure.run_count;
            SELECT pg_stat_force_next_flush()""";

    private static final String TRANSACTIONS =
            "DO $$ BEGIN FOR n IN 1..300 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final FreshDatabase database = new FreshDatabase();

    @BeforeEach
    void migrate() {
        new Migrations(database.url()).apply();
    }

    @AfterEach
    void drop() {
        database.close();
    }

    private static List<Finding> examined(String url) {
        return new PostgresProvider().examine(url, new SystemEnvironment());
    }

    private List<String> warnings(Vacuum.Bounds bounds) {
        return warnings(database.url(), bounds);
    }

    private static List<String> warnings(PostgresUrl url, Vacuum.Bounds bounds) {
        try (Connections connections = Connections.to(url)) {
            return connections.read(session -> new Vacuum(session, url, bounds).findings(Map.of())).stream()
                    .filter(finding -> finding.level() == Level.WARNING)
                    .map(Finding::found)
                    .toList();
        }
    }

    /** Waits until the warnings are like that: a session that begins or ends at this moment is one that is open, or one less that is free. */
    private void awaitWarnings(Vacuum.Bounds bounds, Predicate<List<String>> wanted) {
        awaitWarnings("SELECT 1", bounds, wanted);
    }

    /** The same, after another statement each time: such a session may keep it from doing all that it should. */
    private void awaitWarnings(String statement, Vacuum.Bounds bounds, Predicate<List<String>> wanted) {
        long began = System.nanoTime();
        List<String> found;
        do {
            database.run(statement);
            found = warnings(bounds);
            assertThat(System.nanoTime() - began).as("%s", found).isLessThan(PATIENCE.toNanos());
        } while (!wanted.test(found));
    }

    private static List<String> warned(String url) {
        return examined(url).stream()
                .filter(finding -> finding.level() == Level.WARNING)
                .map(Finding::found)
                .toList();
    }

    @Test
    void aServerThatDoesNotCleanUpIsAWarning() {
        try (PrivatePostgres server = PrivatePostgres.start(
                        PostgresBinaries.bundled(),
                        Map.of("autovacuum", "off", "fsync", "off", "max_prepared_transactions", "2"));
                FreshDatabase there = new FreshDatabase(server.url())) {
            new Migrations(there.url()).apply();
            assertThat(warned(there.text()))
                    .singleElement()
                    .asString()
                    .startsWith("autovacuum is off: dead rows of busy tables stay");

            there.run("BEGIN; INSERT INTO perdure.run_count VALUES ('a', 'w', 'failed', 1, 1); PREPARE TRANSACTION"
                    + " 'mine'");
            assertThat(warnings(there.url(), AT_ONCE))
                    .anyMatch(found -> found.startsWith("Open for more than 0 minutes: prepared transaction 'mine'."));
            there.run("ROLLBACK PREPARED 'mine'");
        }
    }

    @Test
    void countsThatNobodyKeepsAreAWarning() {
        database.run("ALTER DATABASE " + database.name() + " SET track_counts = off");

        assertThat(warned(database.text())).singleElement().asString().startsWith("track_counts is off");
    }

    @ParameterizedTest
    @ValueSource(strings = {"autovacuum_enabled = off", "autovacuum_enabled = false", "toast.autovacuum_enabled = 0"})
    void aTableThatIsSparedIsAWarning(String setting) {
        database.run("CREATE TABLE perdure.mine () WITH (autovacuum_enabled = off)");
        assertThat(warned(database.text())).isEmpty();

        database.run("ALTER TABLE perdure.run SET (" + setting + ")");
        assertThat(warned(database.text()))
                .singleElement()
                .asString()
                .startsWith("autovacuum_enabled is off for run: ");

        database.run("ALTER TABLE perdure.run RESET (autovacuum_enabled, toast.autovacuum_enabled)");
        assertThat(warned(database.text())).isEmpty();
    }

    @Test
    void deadRowsThatStayAreAWarningUntilTheyAreGone() {
        database.run("ALTER TABLE perdure.run_count SET (autovacuum_enabled = off)");
        database.run(DEAD_ROWS);
        assertThat(warnings(AT_ONCE))
                .anyMatch(
                        found -> found.equals("Dead rows are not cleaned up: run_count has 2000 beside 0 that live."));

        awaitWarnings(
                "VACUUM perdure.run_count",
                AT_ONCE,
                all -> all.stream().noneMatch(found -> found.startsWith("Dead rows")));
    }

    @Test
    void aTransactionThatIsOpenHoldsDeadRowsAndIsNamed() throws SQLException {
        awaitWarnings(AT_ONCE, VacuumTest::noneIsOpen);
        try (Connection connection = database.session();
                Statement statement = connection.createStatement()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            statement.execute("SELECT count(*) FROM perdure.run_count");
            database.run(DEAD_ROWS);
            database.run("VACUUM perdure.run_count");

            awaitWarnings(
                    AT_ONCE,
                    all -> all.stream().anyMatch(found -> found.contains("run_count has 2000 beside 0 that live"))
                            && all.stream()
                                    .anyMatch(
                                            found -> found.matches(
                                                    "Open for more than 0 minutes: process \\d+ \\(perdure\\)\\. Dead rows cannot .*")));
            assertThat(warnings(NEVER)).isEmpty();
            connection.rollback();
        }

        awaitWarnings(AT_ONCE, VacuumTest::noneIsOpen);
    }

    private static boolean noneIsOpen(List<String> warnings) {
        return warnings.stream().noneMatch(found -> found.startsWith("Open for"));
    }

    @Test
    void rowsThatAreNotFrozenInTimeAreAWarning() {
        awaitWarnings("VACUUM (FREEZE)", AT_ONCE, List::isEmpty);

        database.run(TRANSACTIONS);
        awaitWarnings(
                AT_ONCE,
                all -> all.size() == 1
                        && all.getFirst()
                                .matches(
                                        "The oldest row that is not frozen is \\d+ transactions old; after 2146 million .*"));
    }

    /** To a role that may not read all statistics, Postgres tells of others neither what they are nor since when. */
    @Test
    void aRoleThatSeesLittleIsToldSoAndCountsTheConnectionsOfOthers() throws SQLException {
        String role = "sees_" + database.name();
        database.run("CREATE ROLE " + role + " LOGIN; GRANT USAGE ON SCHEMA perdure TO " + role
                + "; GRANT SELECT ON ALL TABLES IN SCHEMA perdure TO " + role);
        String url = database.text().replaceFirst("user=[^&]*&", "user=" + role + "&");
        try (Connection one = database.session();
                Connection other = database.session()) {
            assertThat(List.of(one.isClosed(), other.isClosed())).containsOnly(false);

            assertThat(examined(url))
                    .filteredOn(finding -> finding.about().equals("transactions"))
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.found()).startsWith(role + " sees how long its own"));
            long began = System.nanoTime();
            while (free(url) != free(database.text())) {
                assertThat(System.nanoTime() - began).as("patience").isLessThan(PATIENCE.toNanos());
            }
        } finally {
            database.run("DROP OWNED BY " + role + "; DROP ROLE " + role);
        }
    }

    private static int free(String url) {
        Matcher words = Pattern.compile("(\\d+) connections are free")
                .matcher(examined(url).toString());
        assertThat(words.find()).isTrue();
        return Integer.parseInt(words.group(1));
    }
}
