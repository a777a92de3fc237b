package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.store.Finding;
import io.perdure.core.store.Finding.Level;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.ForwardingEnvironment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found out about a database, each by doing that to one. The server that tests share does not wait for its disk. */
class ExaminationTest {
    private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();
    private static final PostgresProvider PROVIDER = new PostgresProvider();

    private final FreshDatabase database = new FreshDatabase();

    @AfterEach
    void drop() {
        database.close();
    }

    private void migrate() {
        new Migrations(database.url()).apply();
    }

    private static Finding about(String about, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.about().equals(about))
                .findFirst()
                .orElseThrow(() -> new AssertionError("Nothing was found about " + about + ": " + findings));
    }

    private Finding found(String about, String... parameters) {
        return about(about, PROVIDER.examine(database.text(parameters), ENVIRONMENT));
    }

    private static void assertIs(Level level, String text, Finding finding) {
        assertThat(finding.level()).as(finding.toString()).isEqualTo(level);
        assertThat(finding.found()).contains(text);
    }

    @Test
    void aServerThatDoesNotWaitForItsDiskIsTheOnlyProblemOfASoundStore() {
        migrate();

        List<Finding> findings = PROVIDER.examine(database.text(), ENVIRONMENT);

        assertThat(findings)
                .filteredOn(finding -> finding.level() == Level.PROBLEM)
                .extracting(Finding::about)
                .containsExactly("durability");
        assertIs(Level.PROBLEM, "fsync is off, full_page_writes is off", about("durability", findings));
        assertIs(Level.OK, "answers, Postgres ", about("store", findings));
        assertIs(Level.OK, "Migration " + Migrations.ALL.size() + ", the newest", about("schema", findings));
        assertIs(Level.OK, "this machine's, to within ", about("clock", findings));
        assertIs(Level.OK, "may do all that Perdure does", about("privileges", findings));
        assertIs(Level.OK, " connections are free; a process takes up to 12 ", about("connections", findings));
    }

    @Test
    void aServerThatIsAwayIsAProblemWithoutAPassword() {
        assertThat(PROVIDER.examine("postgres://me:secret@127.0.0.1:1/app", ENVIRONMENT))
                .singleElement()
                .satisfies(finding -> assertIs(Level.PROBLEM, "PD-208 ", finding))
                .satisfies(finding -> assertThat(finding.toString()).doesNotContain("secret"));
    }

    @Test
    void aParameterThatIsNotKnownIsRefused() {
        assertThatThrownBy(() -> PROVIDER.examine(database.text("perdure.shema=x"), ENVIRONMENT))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("PD-210 ");
    }

    @Test
    void anEmptyDatabaseHasNoTablesAndGetsNone() {
        assertIs(Level.PROBLEM, "There are no tables of Perdure's in the schema \"perdure\" yet", found("schema"));
        assertThat(database.read("SELECT count(*)::text FROM pg_namespace WHERE nspname = 'perdure'"))
                .isEqualTo("0");
    }

    @Test
    void anOlderSchemaIsAWarningUnlessNobodyMayChangeIt() {
        new Migrations(database.url(), Migrations.ALL.subList(0, 3)).apply();

        assertIs(Level.WARNING, "lacks 0004_flush.sql, ", found("schema"));
        assertIs(Level.PROBLEM, "lacks 0004_flush.sql, ", found("schema", "perdure.migrate=check"));
        assertThat(database.read("SELECT max(number)::text FROM perdure.migration"))
                .isEqualTo("3");
    }

    @Test
    void aNewerSchemaIsAWarningWhereThisReleaseStillWorksWithItAndElseAProblem() {
        migrate();
        database.run("INSERT INTO perdure.migration (number, name, sha256, readable_since) VALUES (98, 'x', 'x', 1)");
        assertIs(Level.WARNING, "A newer release has brought it to migration 98", found("schema"));

        database.run("INSERT INTO perdure.migration (number, name, sha256, readable_since) VALUES (99, 'y', 'y', 99)");
        assertIs(Level.PROBLEM, "PD-207 ", found("schema"));
    }

    @Test
    void aMigrationThatSomebodyEditedIsAProblem() {
        migrate();
        database.run("UPDATE perdure.migration SET sha256 = 'edited' WHERE number = 2");

        assertIs(Level.PROBLEM, "PD-206 Migration 2 ", found("schema"));
    }

    @Test
    void theSchemaOfAnotherProgramIsAProblem() {
        database.run("CREATE SCHEMA perdure; CREATE TABLE perdure.customer ()");

        assertIs(Level.PROBLEM, "PD-206 ", found("schema"));
    }

    @Test
    void anIndexThatWasNeverFinishedIsAProblem() {
        migrate();
        database.run("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'perdure.run_pkey'::regclass");

        assertIs(Level.PROBLEM, "run_pkey", found("indexes"));
    }

    @Test
    void aDatabaseThatIsReadOnlyIsAProblem() {
        migrate();
        database.run("ALTER DATABASE " + database.name() + " SET default_transaction_read_only = on");

        assertIs(Level.PROBLEM, "Transactions are read-only", found("primary"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"idle_session_timeout", "transaction_timeout"})
    void aTimeoutThatEndsConnectionsIsAWarning(String name) {
        migrate();
        database.run("ALTER DATABASE " + database.name() + " SET " + name + " = '20s'");

        assertIs(Level.WARNING, name + " is 20000 ms", found("timeouts"));
    }

    @Test
    void theServersOwnTimeoutsDoNotMatter() {
        migrate();
        database.run("ALTER DATABASE " + database.name() + " SET statement_timeout = '1ms'");

        assertThat(PROVIDER.examine(database.text(), ENVIRONMENT))
                .extracting(Finding::about)
                .doesNotContain("timeouts", "pooler");
    }

    @Test
    void tooFewConnectionsAreAWarning() {
        migrate();
        database.run("ALTER DATABASE " + database.name() + " CONNECTION LIMIT 10");

        assertIs(Level.WARNING, " connections are free; a process takes up to 12 ", found("connections"));
        assertThat(found("connections", "perdure.connections=2").level()).isEqualTo(Level.OK);
    }

    @Test
    void aRoleThatLacksAPrivilegeIsAProblem() {
        migrate();
        String role = "works_" + database.name();
        database.run("CREATE ROLE " + role + " LOGIN PASSWORD 'x'; GRANT USAGE ON SCHEMA perdure TO " + role
                + "; GRANT SELECT ON ALL TABLES IN SCHEMA perdure TO " + role);
        try {
            Finding finding = about(
                    "privileges",
                    PROVIDER.examine(
                            database.text()
                                    .replaceFirst("user=[^&]*&(password=[^&]*&)?", "user=" + role + "&password=x&"),
                            ENVIRONMENT));
            assertIs(Level.PROBLEM, "The role " + role + " lacks DELETE on table api_key, ", finding);
            assertThat(finding.found()).matches(".* and \\d+ more\\.");
        } finally {
            database.run("DROP OWNED BY " + role + "; DROP ROLE " + role);
        }
    }

    @Test
    void aClockThatIsOffIsAWarning() {
        assertIs(Level.OK, " this machine's", found("clock"));

        List<Finding> findings = PROVIDER.examine(database.text(), new Skewed(Duration.ofMinutes(-5)));
        assertIs(Level.WARNING, " ms ahead of this machine's", about("clock", findings));
        findings = PROVIDER.examine(database.text(), new Skewed(Duration.ofMinutes(5)));
        assertIs(Level.WARNING, " ms behind this machine's", about("clock", findings));
    }

    /** The real world, at another time. */
    private record Skewed(Duration by) implements ForwardingEnvironment {
        @Override
        public Environment real() {
            return ENVIRONMENT;
        }

        @Override
        public InstantSource clock() {
            return () -> ENVIRONMENT.clock().instant().plus(by);
        }
    }
}
