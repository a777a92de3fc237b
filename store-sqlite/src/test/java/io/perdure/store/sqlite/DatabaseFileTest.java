package io.perdure.store.sqlite;

import static io.perdure.store.sqlite.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseFileTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    @Test
    void aNewFileBecomesPerdures() {
        try (Session writer = database("app.db").openWriter()) {
            assertThat(writer.number("PRAGMA application_id")).isEqualTo(Identity.PERDURE);
            assertThat(writer.number("PRAGMA user_version")).isEqualTo(Migrations.newest());
            assertThat(writer.number("PRAGMA auto_vacuum")).isEqualTo(2);
            assertThat(text(writer, "PRAGMA journal_mode")).isEqualTo("wal");
            assertThat(text(writer, "PRAGMA encoding")).isEqualTo("UTF-8");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"my app.db", "what?mode=memory.db", "50%25.db", "#1.db", "ünïcode ☃.db", "wal", "file:x"})
    void anyNameIsTakenToTheLetter(String name) {
        DatabaseFile database = database(name);

        try (Session writer = database.openWriter()) {
            writer.update("UPDATE clock SET latest = 1");
        }

        assertThat(folder.resolve(name)).isRegularFile().isNotEmptyFile();
        assertThat(folder)
                .isDirectoryContaining(file -> file.getFileName().toString().equals(name));
    }

    @Test
    void whatWasWrittenIsThereWhenOpenedAgain() {
        write(database("app.db"), "UPDATE clock SET latest = 7");

        try (Session writer = database("app.db").openWriter();
                Session reader = database("app.db").openReader()) {
            assertThat(writer.number("SELECT latest FROM clock")).isEqualTo(7);
            assertThat(reader.number("SELECT latest FROM clock")).isEqualTo(7);
        }
    }

    @Test
    void everySettingHolds() {
        DatabaseFile database = database("app.db");

        try (Session writer = database.openWriter();
                Session reader = database.openReader()) {
            assertThat(Pragma.WRITER).allMatch(pragma -> pragma.holds(writer));
            assertThat(Pragma.READER).allMatch(pragma -> pragma.holds(reader));
        }
    }

    @Test
    void aSettingThatSqliteDoesNotTakeIsAnError() {
        DatabaseFile database = database("app.db");

        try (Session writer = database.openWriter()) {
            refuses(() -> new Pragma("page_size", "8192", "8192").set(writer, database.path()), ErrorCode.STORE_FAILED)
                    .hasMessageContaining("keeps PRAGMA page_size")
                    .hasMessageContaining("at 4096, though it was set to 8192");
        }
    }

    @Test
    void thePageOfReferenceTellsTheSettings() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "reference", "sqlite.md"));
        List<String> told = Pattern.compile("(?m)^\\| `(\\w+)` \\| `([-\\w]+)` \\|")
                .matcher(page)
                .results()
                .map((MatchResult row) -> row.group(1) + "=" + row.group(2))
                .toList();

        assertThat(told)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Pragma.WRITER, Pragma.READER, List.of(Pragma.AUTO_VACUUM, Pragma.JOURNAL_MODE))
                                .flatMap(List::stream)
                                .map(pragma -> pragma.name() + "=" + pragma.value())
                                .distinct()
                                .toList());
    }

    @Test
    void aReaderCannotWrite() {
        DatabaseFile database = database("app.db");

        try (Session writer = database.openWriter();
                Session reader = database.openReader()) {
            refuses(() -> reader.update("UPDATE clock SET latest = 1"), ErrorCode.STORE_UNREACHABLE)
                    .hasMessageContaining(database.path().toString());
            assertThat(writer.number("SELECT latest FROM clock")).isZero();
        }
    }

    @Test
    void aReaderCreatesNothing() {
        refuses(() -> database("app.db").openReader(), ErrorCode.STORE_UNREACHABLE);

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void transactionsAreBegunAndEndedByTheSessionAlone() {
        DatabaseFile database = database("app.db");

        try (Session writer = database.openWriter();
                Session reader = database.openReader()) {
            writer.execute("BEGIN IMMEDIATE");
            writer.update("UPDATE clock SET latest = 1");
            writer.execute("UPDATE clock SET latest = latest + 1");
            assertThat(reader.number("SELECT latest FROM clock")).isZero();
            writer.execute("COMMIT");
            assertThat(reader.number("SELECT latest FROM clock")).isEqualTo(2);

            writer.execute("BEGIN IMMEDIATE");
            writer.update("UPDATE clock SET latest = 3");
            writer.execute("ROLLBACK");
            assertThat(writer.number("SELECT latest FROM clock")).isEqualTo(2);

            reader.execute("BEGIN");
            assertThat(reader.number("SELECT latest FROM clock")).isEqualTo(2);
            writer.update("UPDATE clock SET latest = 4");
            assertThat(reader.number("SELECT latest FROM clock")).isEqualTo(2);
            reader.execute("COMMIT");
            assertThat(reader.number("SELECT latest FROM clock")).isEqualTo(4);
        }
    }

    /** Opens it however long others hold the lock: a busy machine may keep them from going on for seconds. */
    private Session openPatiently() {
        long begun = System.nanoTime();
        while (true) {
            try {
                return database("app.db").openWriter();
            } catch (StoreException e) {
                if (e.code() != ErrorCode.STORE_BUSY || System.nanoTime() - begun > PATIENCE.toNanos()) {
                    throw e;
                }
            }
        }
    }

    @RepeatedTest(10)
    void manyMayCreateItAtOnce() throws Exception {
        int openers = 8;
        CyclicBarrier start = new CyclicBarrier(openers);
        List<Future<Long>> versions = new ArrayList<>();

        try (ExecutorService threads = Executors.newFixedThreadPool(openers)) {
            for (int opener = 0; opener < openers; opener++) {
                versions.add(threads.submit(() -> {
                    start.await();
                    try (Session writer = openPatiently()) {
                        return writer.number("SELECT count(*) FROM clock");
                    }
                }));
            }
        }

        assertThat(versions).extracting(Future::resultNow).containsOnly(1L);
    }

    @Test
    void twoNamesOfOneFileAreOneDatabase() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
        write(database("app.db"), "UPDATE clock SET latest = 7");
        Path direct = Files.createSymbolicLink(folder.resolve("also.db"), folder.resolve("app.db"));

        assertThat(DatabaseFile.at(link.resolve("app.db")).path())
                .isEqualTo(database("app.db").path());
        assertThat(DatabaseFile.at(direct).path()).isEqualTo(database("app.db").path());
        assertThat(DatabaseFile.at(link.resolve("new.db")).path())
                .isEqualTo(folder.toRealPath().resolve("new.db"));
    }

    private DatabaseFile database(String name) {
        return DatabaseFile.at(folder.resolve(name));
    }

    private static void write(DatabaseFile database, String sql) {
        try (Session writer = database.openWriter()) {
            writer.update(sql);
        }
    }

    private static String text(Session session, String sql) {
        return session.first(sql, row -> row.text(1)).orElseThrow();
    }
}
