package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Finding;
import io.perdure.core.store.Finding.Level;
import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.sdk.environment.SystemEnvironment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody has done to the tables since the migrations made them, each by doing that to some. */
class SchemaDifferenceTest {
    private static final int OLDEST = 15;

    private final FreshDatabase database = new FreshDatabase();

    @AfterEach
    void drop() {
        database.close();
    }

    private static List<Finding> found(String url) {
        return new PostgresProvider()
                .examine(url, new SystemEnvironment()).stream()
                        .filter(finding -> finding.about().equals("tables"))
                        .toList();
    }

    private Finding after(String sql) {
        new Migrations(database.url()).apply();
        database.run(sql);
        assertThat(found(database.text())).hasSize(1);
        return found(database.text()).getFirst();
    }

    private static void assertIsSound(List<Finding> findings) {
        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.level()).as(finding.toString()).isEqualTo(Level.OK);
            assertThat(finding.found()).matches("\\d+ tables, .* functions are as the migrations made them\\.");
        });
    }

    /** The last two are words of the functions' own texts. */
    @ParameterizedTest
    @ValueSource(strings = {"perdure", "app", "my_perdure", "off", "queue"})
    void whatTheMigrationsMakeIsSoundUnderAnyName(String schema) {
        String parameter = "perdure.schema=" + schema;
        new Migrations(database.url(parameter)).apply();

        assertIsSound(found(database.text(parameter)));
    }

    @Test
    void whatAnAdministratorPrintedAndRanIsSound() {
        database.run(new Migrations(database.url("perdure.schema=app")).script(0));

        assertIsSound(found(database.text("perdure.schema=app")));
    }

    static List<PostgresBinaries> installed() {
        return PostgresBinaries.installed().stream()
                .filter(binaries -> binaries.majorVersion() >= OLDEST)
                .toList();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("installed")
    void everyServerInstalledHereTellsTheSame(PostgresBinaries binaries) {
        try (PrivatePostgres server = PrivatePostgres.start(binaries, PrivatePostgres.WITHOUT_DURABILITY);
                FreshDatabase there = new FreshDatabase(server.url())) {
            new Migrations(there.url()).apply();

            assertIsSound(found(there.text()));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            DROP INDEX perdure.run_by_start | index run.run_by_start is missing
            DROP TABLE perdure.api_key | table api_key is missing
            DROP FUNCTION perdure.clock_1 | function clock_1 is missing
            DROP SEQUENCE perdure.latest_lease | sequence latest_lease is missing
            ALTER TABLE perdure.signal DROP CONSTRAINT signal_pkey | constraint signal.signal_pkey is missing
            ALTER TABLE perdure.queue ALTER name DROP NOT NULL | column queue.name is "text COLLATE "C"" and was "text COLLATE "C" NOT NULL"
            ALTER TABLE perdure.run ALTER input TYPE jsonb USING input::jsonb | column run.input is "jsonb NOT NULL" and was "text NOT NULL"
            ALTER TABLE perdure.message ALTER blocked DROP DEFAULT | column message.blocked is "boolean NOT NULL" and was "boolean NOT NULL DEFAULT false"
            ALTER TABLE perdure.event SET UNLOGGED | table event is "unlogged" and was "logged"
            ALTER TABLE perdure.run ENABLE ROW LEVEL SECURITY | table run is "logged, with row security" and was "logged"
            ALTER FUNCTION perdure.clock_1() SET search_path = public | function clock_1 was changed
            CREATE OR REPLACE FUNCTION perdure.clock_1() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT 0::bigint' | function clock_1 was changed
            CREATE FUNCTION perdure.clock_1(integer) RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint' | function clock_1 was changed
            """)
    void whatIsMissingOrChangedIsAProblem(String sql, String told) {
        Finding finding = after(sql);

        assertThat(finding.level()).as(finding.toString()).isEqualTo(Level.PROBLEM);
        assertThat(finding.found()).isEqualTo("Not as the migrations made it: " + told + ".");
        assertThat(finding.advice()).contains("perdure migrate --print --from 0");
    }

    @Test
    void anIndexThatIsOfOtherColumnsIsAProblemThatShowsBoth() {
        Finding finding = after("""
                DROP INDEX perdure.lane_batch_by_age;
                CREATE INDEX lane_batch_by_age ON perdure.lane_batch (number);
                """);

        assertThat(finding.level()).isEqualTo(Level.PROBLEM);
        assertThat(finding.found())
                .contains("btree (number)\" and was \"CREATE INDEX lane_batch_by_age ON lane_batch USING btree (at)\"");
    }

    @Test
    void aSchemaThatGotAnotherNameHasFunctionsThatDoNotFindTheirTables() {
        new Migrations(database.url()).apply();
        database.run("ALTER SCHEMA perdure RENAME TO app");

        Finding finding = found(database.text("perdure.schema=app")).getFirst();
        assertThat(finding.level()).isEqualTo(Level.PROBLEM);
        assertThat(finding.found())
                .contains("function acknowledge_1 was changed; ")
                .contains("; and ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ALTER TABLE perdure.run ADD note text | column run.note
            ALTER TABLE perdure.run ADD CONSTRAINT short CHECK (length(input) < 10) | constraint run.short
            CREATE UNIQUE INDEX once ON perdure.run (workflow) | index run.once
            CREATE RULE quiet AS ON DELETE TO perdure.run DO INSTEAD NOTHING | rule run.quiet
            CREATE TRIGGER slow BEFORE UPDATE ON perdure.run EXECUTE FUNCTION suppress_redundant_updates_trigger() | trigger run.slow
            """)
    void whatEveryWriteHasToDoWithIsAWarning(String sql, String title) {
        Finding finding = after(sql);

        assertThat(finding.level()).as(finding.toString()).isEqualTo(Level.WARNING);
        assertThat(finding.found()).isEqualTo("Somebody added to Perdure's own tables: " + title + ".");
    }

    @Test
    void whatSomebodyKeepsBesideItIsOnlyTold() {
        Finding finding = after("""
                CREATE INDEX mine ON perdure.run (workflow);
                CREATE TABLE perdure.report (id int PRIMARY KEY);
                CREATE VIEW perdure.open AS SELECT id FROM perdure.run;
                CREATE FUNCTION perdure.mine() RETURNS int LANGUAGE sql AS 'SELECT 1';
                """);

        assertThat(finding.level()).as(finding.toString()).isEqualTo(Level.OK);
        assertThat(finding.found()).endsWith("Not Perdure's: function mine; index run.mine; table report; view open.");
    }

    @Test
    void whatIsLackingAndWhatIsTooMuchAreToldApart() {
        new Migrations(database.url()).apply();
        database.run("DROP INDEX perdure.run_by_start; ALTER TABLE perdure.run ADD note text");

        assertThat(found(database.text())).extracting(Finding::level).containsExactly(Level.PROBLEM, Level.WARNING);
    }

    @Test
    void tablesOfAnotherReleaseAreNotCompared() {
        new Migrations(database.url(), Migrations.ALL.subList(0, 3)).apply();

        assertThat(found(database.text())).isEmpty();
    }
}
