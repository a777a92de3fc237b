package io.perdure.store.sqlite;

import static io.perdure.store.sqlite.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.store.sqlite.Migrations.Migration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationsTest {
    private static final Path SOURCES = Path.of("src/main/resources/io/perdure/store/sqlite/migrations");
    private static final String REWRITE = "perdure.rewrite";

    private static final long NEXT_VERSION = Migrations.newest() + 1;
    private static final Migration NEXT = new Migration(NEXT_VERSION, "next.sql", """
            -- A comment; with a semicolon.
            CREATE TABLE note (text TEXT NOT NULL, /* and; another */ times INTEGER) STRICT;
            CREATE TRIGGER note_counts AFTER INSERT ON note BEGIN
                UPDATE clock SET latest = CASE WHEN latest > 0 THEN latest ELSE 40 END;
                UPDATE clock SET latest = latest + 1;
            END;
            INSERT INTO note VALUES ('it''s; -- kept', 1);
            -- The end.
            """);

    @TempDir
    private Path folder;

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
                        .startsWith("%04d_".formatted(migration.version())));
    }

    @Test
    void theSnapshotShowsWhatTheMigrationsMake() throws IOException {
        String schema;
        try (Session writer = DatabaseFile.at(folder.resolve("app.db")).openWriter()) {
            schema =
                    writer
                            .list(
                                    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name",
                                    row -> row.text(1))
                            .stream()
                            .collect(Collectors.joining(
                                    ";\n\n", "-- What the migrations make, by name. Rewritten by a test.\n\n", ";\n"));
        }

        assertIsCommitted(Path.of("schema.sql"), schema);
    }

    /** A database that has a migration behind it never sees it again: a change to its text would reach only new databases. */
    @Test
    void releasedMigrationsDoNotChange() throws IOException {
        String sums = Migrations.ALL.stream()
                .map(migration -> sha256(migration.sql()) + "  " + migration.name() + "\n")
                .collect(Collectors.joining());

        assertIsCommitted(Path.of("src/test/resources/io/perdure/store/sqlite/migrations.sha256"), sums);
    }

    @Test
    void aScriptMayHoldCommentsTextsAndTriggers() {
        try (Session writer = DatabaseFile.at(folder.resolve("app.db")).openWriter()) {
            apply(writer, NEXT);

            assertThat(writer.number("PRAGMA user_version")).isEqualTo(NEXT_VERSION);
            assertThat(writer.first("SELECT text FROM note", row -> row.text(1)))
                    .hasValue("it's; -- kept");
            assertThat(writer.number("SELECT latest FROM clock")).isEqualTo(41);
        }
    }

    @Test
    void eachIsAppliedOnce() {
        DatabaseFile database = DatabaseFile.at(folder.resolve("app.db"));
        try (Session one = database.openWriter();
                Session other = database.openWriter()) {
            apply(one, NEXT);
            apply(other, NEXT);
            apply(one, NEXT);

            assertThat(other.number("SELECT count(*) FROM note")).isEqualTo(1);
        }
    }

    /** The first release did not write down whose they are: a remote worker's go on. */
    @Test
    void leasesOfTheFirstReleaseCountAsThoseOfRemoteWorkers() throws SQLException {
        Path file = folder.resolve("old.db");
        try (Session writer = new Session(DriverManager.getConnection("jdbc:sqlite:" + file), file)) {
            Migrations.apply(writer, file, Migrations.ALL.subList(0, 1));
            writer.update(
                    "INSERT INTO run_message (tenant, run, queue, ready_at, token) VALUES"
                            + " ('default', x'01', 'sample@1', 7, randomblob(16)), ('default', x'02', 'sample@1', 7, zeroblob(16))");

            Migrations.apply(writer, file, Migrations.ALL);

            assertThat(writer.list("SELECT remote FROM run_message ORDER BY run", row -> row.integer(1)))
                    .containsExactly(1L, 0L);
        }
    }

    @Test
    void aFailedOneLeavesTheVersionBefore() {
        Migration broken =
                new Migration(NEXT_VERSION, "broken.sql", "CREATE TABLE note (x); INSERT INTO nothing VALUES (1);");
        try (Session writer = DatabaseFile.at(folder.resolve("app.db")).openWriter()) {
            refuses(() -> apply(writer, broken), ErrorCode.STORE_FAILED).hasMessageContaining("nothing");

            assertThat(writer.number("PRAGMA user_version")).isEqualTo(NEXT_VERSION - 1);
            assertThat(writer.number("SELECT count(*) FROM sqlite_schema WHERE name = 'note'"))
                    .isZero();
            apply(writer, NEXT);
            assertThat(writer.number("PRAGMA user_version")).isEqualTo(NEXT_VERSION);
        }
    }

    /** The mark and the tables come together, so that no crash can leave one without the other. */
    @Test
    void aFailedFirstOneLeavesAnEmptyDatabase() throws SQLException {
        Path fresh = folder.resolve("fresh.db");
        Migration broken = new Migration(1, "broken.sql", "CREATE TABLE note (x); INSERT INTO nothing VALUES (1);");

        try (Session writer = new Session(DriverManager.getConnection("jdbc:sqlite:" + fresh), fresh)) {
            refuses(() -> Migrations.apply(writer, fresh, List.of(broken)), ErrorCode.STORE_FAILED);

            assertThat(Identity.of(writer)).isEqualTo(new Identity(0, 0, 0));
        }
        try (Session writer = DatabaseFile.at(fresh).openWriter()) {
            assertThat(Identity.of(writer).isPerdure()).isTrue();
        }
    }

    private void apply(Session writer, Migration next) {
        List<Migration> all =
                Stream.concat(Migrations.ALL.stream(), Stream.of(next)).toList();
        Migrations.apply(writer, folder.resolve("app.db"), all);
    }

    private static String sha256(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    private static void assertIsCommitted(Path file, String now) throws IOException {
        if (Boolean.getBoolean(REWRITE)) {
            Files.writeString(file, now);
        }
        assertThat(file)
                .as("A released migration never changes: add another one. For one that is not released yet, run"
                        + " mvn -pl store-sqlite -am test -D" + REWRITE + "=true and commit what it writes.")
                .hasContent(now);
    }
}
