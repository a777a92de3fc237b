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
    private static final String REWRITE = "perdure.rewrite";

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
        if (Boolean.getBoolean(REWRITE)) {
            Files.writeString(SUMS, sums);
        }

        assertThat(SUMS)
                .as("A released migration never changes: add another one. For one that is not released yet, run"
                        + " mvn -pl store-postgres -am test -D" + REWRITE + "=true and commit what it writes.")
                .hasContent(sums);
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
