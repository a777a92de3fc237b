package io.perdure.store.postgres;

import static io.perdure.store.postgres.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationsTest {
    private static final int NEXT_NUMBER = Migrations.ALL.size() + 1;
    private static final Migration NEXT = Migration.of(NEXT_NUMBER, "next.sql", """
            -- works with releases that know migration 1
            -- A comment; with a semicolon, a ' and a ?.
            CREATE TABLE perdure.note (text text NOT NULL, /* and; another */ times int);
            CREATE FUNCTION perdure.tally(asked text) RETURNS bigint LANGUAGE plpgsql SET search_path = perdure, pg_temp AS $body$
            BEGIN
                RETURN (SELECT count(*) FROM note WHERE text = asked AND '{1,?}'::text IS NOT NULL);
            END $body$;
            INSERT INTO perdure.note VALUES ('it''s; -- kept {d}', 1);
            -- The end.
            """);
    private static final Migration BROKEN = Migration.of(
            NEXT_NUMBER,
            "broken.sql",
            "-- works with releases that know migration 1\nCREATE TABLE perdure.note (x int); SELECT 1 FROM perdure.nothing;");

    private FreshDatabase database = new FreshDatabase();

    @AfterEach
    void drop() {
        database.close();
    }

    private static List<Migration> and(Migration next) {
        return Stream.concat(Migrations.ALL.stream(), Stream.of(next)).toList();
    }

    private Migrations migrations(String... parameters) {
        return new Migrations(database.url(parameters));
    }

    @Test
    void anEmptyDatabaseGetsAllOfThemOnce() {
        Migrations migrations = migrations();

        assertThat(migrations.missing())
                .isEqualTo(Migrations.ALL.stream().map(Migration::name).toList());
        assertThat(migrations.apply()).isEqualTo(Migrations.ALL.size());
        assertThat(migrations.missing()).isEmpty();
        assertThat(migrations.apply()).isZero();
        assertThat(database.read("SELECT string_agg(number || name || sha256 || readable_since || applied_by, '')"
                        + " FROM perdure.migration WHERE number = 1 AND applied_at <= now()"))
                .isEqualTo("1" + Migrations.ALL.getFirst().name()
                        + Migrations.ALL.getFirst().sha256() + "1" + database.read("SELECT session_user::text"));
    }

    @Test
    void ofFiftyThatStartAtOnceOneDoesTheWork() throws InterruptedException, ExecutionException {
        List<Callable<Integer>> starts = IntStream.range(0, 50)
                .<Callable<Integer>>mapToObj(start ->
                        () -> migrations("connectTimeout=50", "loginTimeout=50").apply())
                .toList();
        List<Integer> applied = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> start : threads.invokeAll(starts)) {
                applied.add(start.get());
            }
        }

        assertThat(applied).filteredOn(count -> count != 0).containsExactly(Migrations.ALL.size());
        assertThat(database.read("SELECT count(*)::text FROM perdure.migration"))
                .isEqualTo(String.valueOf(Migrations.ALL.size()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"perdure", "jobs", "user"})
    void theSchemaMayHaveAnotherName(String schema) {
        PostgresUrl url = database.url("perdure.schema=" + schema);
        assertThat(new Migrations(url, and(NEXT)).apply()).isEqualTo(NEXT_NUMBER);

        assertThat(database.read("SELECT text FROM \"%s\".note".formatted(schema)))
                .isEqualTo("it's; -- kept {d}");
        assertThat(database.read("SELECT \"%s\".tally(text)::text FROM \"%s\".note".formatted(schema, schema)))
                .isEqualTo("1");
        assertThat(new Migrations(url, and(NEXT)).missing()).isEmpty();
    }

    @Test
    void behindAPoolerTheyAreAppliedToo() {
        assertThat(migrations("perdure.pooler=transaction").apply()).isEqualTo(Migrations.ALL.size());
        assertThat(migrations().missing()).isEmpty();
    }

    @Test
    void oneThatFailsLeavesNothingOfItself() {
        migrations().apply();

        refuses(() -> new Migrations(database.url(), and(BROKEN)).apply(), ErrorCode.STORE_FAILED)
                .hasMessageContaining("nothing");
        assertThat(database.read("SELECT max(number)::text FROM perdure.migration"))
                .isEqualTo(String.valueOf(Migrations.ALL.size()));
        assertThat(new Migrations(database.url(), and(NEXT)).apply()).isEqualTo(1);
    }

    @Test
    void ifTheFirstFailsThereIsNoSchema() {
        refuses(() -> new Migrations(database.url(), and(BROKEN)).apply(), ErrorCode.STORE_FAILED);

        assertThat(database.read("SELECT count(*)::text FROM pg_namespace WHERE nspname = 'perdure'"))
                .isEqualTo("0");
    }

    @Test
    void whereTheUrlSaysSoNothingIsChanged() {
        Migrations checking = migrations("perdure.migrate=check");

        refuses(checking::ready, ErrorCode.STORE_OUTDATED)
                .hasMessageContaining("The schema \"perdure\" of jdbc:postgresql://")
                .hasMessageContaining("lacks " + Migrations.ALL.getFirst().name());
        assertThat(database.read("SELECT count(*)::text FROM pg_namespace WHERE nspname = 'perdure'"))
                .isEqualTo("0");
        migrations().ready();
        checking.ready();
    }

    @Test
    void anOlderReleaseGoesOnWhileANewerOneIsDeployed() {
        new Migrations(database.url(), and(NEXT)).apply();

        migrations().ready();
        assertThat(migrations().missing()).isEmpty();
        migrations("perdure.migrate=check").ready();
    }

    @Test
    void anOlderReleaseStopsWhereANewerOneBrokeWithIt() {
        Migration breaking = Migration.of(
                NEXT_NUMBER,
                "breaking.sql",
                "-- works with releases that know migration %s\nSELECT 1;".formatted(NEXT_NUMBER));
        new Migrations(database.url(), and(breaking)).apply();

        refuses(() -> migrations().ready(), ErrorCode.STORE_NEWER)
                .hasMessageContaining(
                        "has migration %s, which works with releases that know migration %s; this one knows %s"
                                .formatted(NEXT_NUMBER, NEXT_NUMBER, Migrations.ALL.size()));
    }

    @Test
    void anotherTextUnderTheSameNumberIsRefused() {
        new Migrations(database.url(), and(NEXT)).apply();
        Migration other = Migration.of(NEXT_NUMBER, "next.sql", NEXT.sql() + "-- more\n");

        refuses(() -> new Migrations(database.url(), and(other)).apply(), ErrorCode.NOT_A_STORE)
                .hasMessageContaining(NEXT.sha256())
                .hasMessageContaining(other.sha256());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE perdure.customer ()",
                "CREATE FUNCTION perdure.f() RETURNS int LANGUAGE sql RETURN 1",
                "CREATE TYPE perdure.mood AS ENUM ('good')",
                "CREATE TABLE perdure.migration (version text)",
            })
    void theSchemaOfAnotherProgramIsLeftAlone(String object) {
        database.run("CREATE SCHEMA perdure; " + object);

        refuses(() -> migrations().apply(), ErrorCode.NOT_A_STORE)
                .hasMessageContaining("The schema \"perdure\" of the database \"%s\"".formatted(database.name()))
                .hasMessageContaining("perdure.schema");
        refuses(() -> migrations("perdure.migrate=check").ready(), ErrorCode.NOT_A_STORE);
    }

    @Test
    void aRoleThatOwnsAnEmptySchemaNeedsNoMore() {
        String role = "role_" + database.name();
        database.run(
                "CREATE ROLE %1$s LOGIN PASSWORD 'open'; CREATE SCHEMA perdure AUTHORIZATION %1$s; CREATE SCHEMA other"
                        .formatted(role));
        String url = "jdbc:postgresql://%s/%s?user=%s&password=open&"
                .formatted(database.url().server(), database.name(), role);
        try {
            assertThat(new Migrations(PostgresUrl.parse(url)).apply()).isEqualTo(Migrations.ALL.size());
            refuses(
                            () -> new Migrations(PostgresUrl.parse(url + "perdure.schema=fresh")).apply(),
                            ErrorCode.STORE_UNREACHABLE)
                    .hasMessageContaining("does not allow this role what it needs");
            refuses(
                            () -> new Migrations(PostgresUrl.parse(url + "perdure.schema=other")).apply(),
                            ErrorCode.STORE_UNREACHABLE)
                    .hasMessageContaining("does not allow this role what it needs");
        } finally {
            database.run("DROP OWNED BY %1$s CASCADE; DROP ROLE %1$s".formatted(role));
        }
    }

    @Test
    void whatIsPrintedDoesTheSame() {
        Migrations newer = new Migrations(database.url("perdure.schema=jobs"), and(NEXT));
        String whole = newer.script(0);
        assertThat(newer.script()).isEqualTo(whole);

        database.run(whole);
        assertThat(newer.missing()).isEmpty();
        assertThat(newer.script()).isEqualTo("-- Nothing is missing.\n");
        assertThat(newer.script(NEXT_NUMBER)).isEqualTo("-- Nothing is missing.\n");
        assertThat(newer.apply()).isZero();
    }

    @Test
    void fromAnOlderSchemaOnlyTheRestIsPrinted() {
        migrations().apply();
        Migrations newer = new Migrations(database.url(), and(NEXT));

        String rest = newer.script();
        assertThat(rest)
                .isEqualTo(newer.script(NEXT_NUMBER - 1))
                .contains("-- next.sql\n")
                .doesNotContain("CREATE SCHEMA", Migrations.ALL.getFirst().name());
        database.run(rest);
        assertThat(newer.missing()).isEmpty();
        assertThatThrownBy(() -> database.run(rest)).hasStackTraceContaining("already exists");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1000})
    void aNumberThatThereIsNotIsRefused(int from) {
        assertThatThrownBy(() -> migrations().script(from))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("PD-007 There is no migration " + from);
    }

    @Test
    void anOldServerIsRefused() {
        refuses(() -> Migrations.checkServer(14, database.url()), ErrorCode.STORE_UNREACHABLE)
                .hasMessageContaining("is Postgres 14; Perdure needs 15 or newer");
        Migrations.checkServer(15, database.url());
        Migrations.checkServer(19, database.url());
    }

    /** A release with another key could migrate at the same time as one with this. */
    @Test
    void theLockHasOneKeyForEver() {
        assertThat(Migrations.lockKey("perdure")).isEqualTo(-407463394565456998L);
        assertThat(Migrations.lockKey("jobs")).isNotEqualTo(Migrations.lockKey("perdure"));
    }

    @Test
    void aServerThatIsNotThereIsUnreachable() {
        refuses(
                () -> new Migrations(PostgresUrl.parse("postgres://127.0.0.1:1/app")).ready(),
                ErrorCode.STORE_UNREACHABLE);
    }
}
