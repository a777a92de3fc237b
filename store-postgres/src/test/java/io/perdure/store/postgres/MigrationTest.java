package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationTest {
    private static final Path SOURCES = Path.of("src/main/resources/io/perdure/store/postgres/migrations");
    private static final Path SUMS = Path.of("src/test/resources/io/perdure/store/postgres/migrations.sha256");
    private static final Path SNAPSHOT = Path.of("schema.sql");
    private static final Path PARTS = Path.of("src/main/resources/io/perdure/store/postgres/schema.txt");
    private static final String REWRITE = "perdure.rewrite";

    private static final String SCHEMA = """
            SELECT 'CREATE TABLE ' || c.oid::regclass || E' (\\n    ' || string_agg(
                       a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
                       || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
                       || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), ''), E',\\n    ' ORDER BY a.attnum)
                   || E'\\n)' || coalesce(E' WITH (\\n    ' || array_to_string(c.reloptions, E',\\n    ') || E'\\n)', '')
            FROM pg_class c
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
            LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
            WHERE c.relkind = 'r' AND c.relnamespace = 'perdure'::regnamespace GROUP BY c.oid
            UNION ALL
            SELECT pg_get_indexdef(c.oid) FROM pg_class c
            WHERE c.relkind = 'i' AND c.relnamespace = 'perdure'::regnamespace
            UNION ALL
            SELECT 'CREATE SEQUENCE ' || c.oid::regclass FROM pg_class c
            WHERE c.relkind = 'S' AND c.relnamespace = 'perdure'::regnamespace
            UNION ALL
            SELECT 'FUNCTION ' || p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = 'perdure'::regnamespace
            ORDER BY 1""";

    @Test
    void everyFileIsListedInItsOrder() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            assertThat(Migrations.ALL)
                    .extracting(Migration::name)
                    .containsExactlyElementsOf(
                            files.map(file -> file.getFileName().toString())
                                    .sorted()
                                    .toList());
        }
        assertThat(Migrations.ALL)
                .allSatisfy(migration -> assertThat(migration.name())
                        .matches("\\d{4}_[a-z_]+\\.sql")
                        .startsWith(String.format(Locale.ROOT, "%04d_", migration.number())));
    }

    /** A database that has a migration behind it never sees it again: a change to its text would reach only new databases. */
    @Test
    void releasedMigrationsDoNotChange() throws IOException {
        String sums = Migrations.ALL.stream()
                .map(migration -> migration.sha256() + "  " + migration.name() + "\n")
                .collect(Collectors.joining());
        assertIsCommitted(SUMS, sums);
    }

    @Test
    void theSnapshotShowsWhatTheMigrationsMake() throws IOException {
        String schema;
        try (FreshDatabase database = new FreshDatabase()) {
            new Migrations(database.url()).apply();
            try (Connections connections = Connections.to(database.url())) {
                schema = connections.read(session -> session.list(SCHEMA, row -> row.text(1))).stream()
                        .collect(Collectors.joining(
                                ";\n\n", "-- What the migrations make, by name. Rewritten by a test.\n\n", ";\n"));
            }
        }

        assertIsCommitted(SNAPSHOT, schema);
    }

    /** What an examination compares a database with. */
    @Test
    void theResourceHasEveryPartThatTheMigrationsMake() throws IOException {
        String parts;
        try (FreshDatabase database = new FreshDatabase()) {
            new Migrations(database.url()).apply();
            try (Connections connections = Connections.to(database.url())) {
                parts = connections.read(session -> SchemaPart.found(session, PostgresUrl.DEFAULT_SCHEMA)).stream()
                        .map(part -> part.line() + "\n")
                        .sorted()
                        .collect(Collectors.joining());
            }
        }

        assertIsCommitted(PARTS, parts);
    }

    private static void assertIsCommitted(Path file, String content) throws IOException {
        if (Boolean.getBoolean(REWRITE)) {
            Files.writeString(file, content);
        }

        assertThat(file)
                .as("A released migration never changes: add another one. For one that is not released yet, run"
                        + " mvn -pl store-postgres -am test -D" + REWRITE + "=true and commit what it writes.")
                .hasContent(content);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE perdure.x ();",
                "\n-- works with releases that know migration 1\nSELECT 1;",
                "-- works with releases that know migration 0\nSELECT 1;",
                "-- works with releases that know migration 3\nSELECT 1;",
                "-- works with releases that know migration x\nSELECT 1;",
            })
    void eachSaysWithWhichReleasesItWorks(String sql) {
        assertThatThrownBy(() -> Migration.of(2, "0002_x.sql", sql)).isInstanceOf(IllegalArgumentException.class);
    }
}
