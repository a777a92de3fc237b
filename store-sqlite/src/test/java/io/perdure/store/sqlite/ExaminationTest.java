package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.store.Finding;
import io.perdure.core.store.Finding.Level;
import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.SystemEnvironment;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is found out about a file, each by doing that to one. The tests read files directly only while no connection is open. */
class ExaminationTest {
    private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();
    private static final SqliteProvider PROVIDER = new SqliteProvider();

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("app.db");
    }

    private String url() {
        return "jdbc:sqlite:" + file();
    }

    private Store open() {
        return PROVIDER.open(url(), ENVIRONMENT, Limits.defaults());
    }

    private Path made() {
        open().close();
        return file();
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<Finding> examined() {
        return PROVIDER.examine(url(), ENVIRONMENT);
    }

    private Finding found(String about) {
        return examined().stream()
                .filter(finding -> finding.about().equals(about))
                .findFirst()
                .orElseThrow(() -> new AssertionError("Nothing was found about " + about));
    }

    private void assertFound(Level level, String about, String text) {
        Finding finding = found(about);
        assertThat(finding.level()).as(finding.toString()).isEqualTo(level);
        assertThat(finding.found()).contains(text);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aSoundFileHasNoProblemsAndIsLeftAsItIs() throws IOException {
        byte[] before = Files.readAllBytes(made());
        List<String> names = names();

        assertThat(examined())
                .allSatisfy(finding ->
                        assertThat(finding.level()).as(finding.toString()).isNotEqualTo(Level.PROBLEM))
                .extracting(Finding::about)
                .containsExactly(
                        "file",
                        "sqlite",
                        "schema",
                        "integrity",
                        "journal",
                        "clock",
                        "owner",
                        "permissions",
                        "disk",
                        "flush");
        assertThat(file()).hasBinaryContent(before);
        assertThat(names()).isEqualTo(names);
    }

    @Test
    void aLogThatACrashLeftIsReadAndLeftAsItIs() throws IOException {
        Path copy = folder.resolve("copy.db");
        Path log = folder.resolve("copy.db-wal");
        made();
        try (Session writer = DatabaseFile.at(file()).openWriter()) {
            writer.execute("PRAGMA user_version = 99");
            Files.copy(file(), copy);
            Files.copy(folder.resolve("app.db-wal"), log);
        }
        byte[] before = Files.readAllBytes(copy);
        byte[] logged = Files.readAllBytes(log);

        assertThat(PROVIDER.examine("jdbc:sqlite:" + copy, ENVIRONMENT))
                .anyMatch(finding -> finding.found().startsWith("PD-207 "));
        assertThat(copy).hasBinaryContent(before);
        assertThat(log).hasBinaryContent(logged);
    }

    @Test
    void aFileThatIsNotThereIsAProblemAndIsNotMade() throws IOException {
        assertFound(Level.PROBLEM, "file", "There is no file " + file());
        assertThat(names()).isEmpty();
    }

    @Test
    void aFolderThatIsNotThereIsAProblem() {
        assertThat(PROVIDER.examine("jdbc:sqlite:" + folder.resolve("gone/app.db"), ENVIRONMENT))
                .singleElement()
                .satisfies(finding -> assertThat(finding.level()).isEqualTo(Level.PROBLEM))
                .satisfies(finding -> assertThat(finding.found()).startsWith("PD-208 The folder "));
    }

    @Test
    void aLogWithoutItsFileIsAProblem() throws IOException {
        Files.write(folder.resolve("app.db-wal"), new byte[] {1});

        assertFound(Level.PROBLEM, "file", "PD-212 ");
    }

    @Test
    void aUrlThatNamesNoFileIsRefused() {
        assertThatThrownBy(() -> PROVIDER.examine("jdbc:sqlite::memory:", ENVIRONMENT))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("PD-210 ");
    }

    @Test
    void aPlaceWhereNothingCanBeWrittenIsAProblem() {
        assertThat(new Disk(Path.of("/proc/app.db"), ENVIRONMENT).findings())
                .filteredOn(finding -> finding.about().equals("flush"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.level()).isEqualTo(Level.PROBLEM))
                .satisfies(finding -> assertThat(finding.found()).contains("No file can be written in /proc"));
    }

    @Test
    void anEmptyDatabaseHasNoTablesYet() throws SQLException {
        run("PRAGMA journal_mode = WAL");

        assertFound(Level.PROBLEM, "schema", "it has no tables yet");
    }

    @Test
    void theFileOfAnotherProgramIsAProblem() throws SQLException {
        run("CREATE TABLE customer (id INTEGER)");

        assertFound(Level.PROBLEM, "schema", "PD-206 ");
    }

    @Test
    void aFileThatIsNoDatabaseIsAProblem() throws IOException {
        Files.writeString(file(), "notes ".repeat(1_000));

        assertFound(Level.PROBLEM, "file", "PD-206 ");
    }

    @Test
    void anOlderSchemaIsAWarningAndStaysAsItIs() throws SQLException {
        made();
        run("PRAGMA user_version = 0");

        assertFound(Level.WARNING, "schema", "It has version 0, and this release " + Migrations.newest());
        assertThat(found("schema").advice()).contains("perdure migrate");
    }

    @Test
    void aNewerSchemaIsAProblem() throws SQLException {
        made();
        run("PRAGMA user_version = 99");

        assertFound(Level.PROBLEM, "schema", "PD-207 ");
    }

    @Test
    void aSchemaThatSomebodyChangedIsAProblem() throws SQLException {
        made();
        run("CREATE INDEX mine ON run (status)");
        run("DROP TABLE run_tag");

        assertFound(Level.PROBLEM, "schema", "index mine was added");
        assertThat(found("schema").found()).contains("table run_tag is missing");
    }

    @Test
    void damageIsAProblem() throws IOException {
        long from = made().toFile().length() / 2 / 4096 * 4096;
        try (RandomAccessFile bytes = new RandomAccessFile(file().toFile(), "rw")) {
            byte[] rubbish = new byte[8 * 4096];
            Arrays.fill(rubbish, (byte) 0x5a);
            bytes.seek(from);
            bytes.write(rubbish);
        }

        assertThat(examined())
                .filteredOn(finding -> finding.level() == Level.PROBLEM)
                .extracting(Finding::about)
                .contains("integrity");
    }

    @Test
    void anotherJournalModeIsAWarning() throws SQLException {
        made();
        run("PRAGMA journal_mode = DELETE");

        assertFound(Level.WARNING, "journal", "Its journal mode is DELETE");
    }

    @Test
    void aClockThatWasSetBackIsAWarning() throws SQLException {
        made();
        run("UPDATE clock SET highest = 4102444800000000");

        assertFound(Level.WARNING, "clock", "behind the latest time that the store has seen (2100-01-01T00:00:00Z)");
    }

    @Test
    void whoeverRunsTheWorkersIsNamedAndKeepsTheLock() {
        assertThat(made()).exists();
        assertFound(Level.OK, "owner", "No process runs workers");

        try (Store store = open();
                Store.Ownership _ = store.own()) {
            assertFound(Level.OK, "owner", "A store of this process runs the workers.");
            try (Store other = open()) {
                Refusal.refuses(other::own, ErrorCode.STORE_OWNED);
            }
        }
        assertFound(Level.OK, "owner", "No process runs workers");
    }

    @Test
    void aFileThatEverybodyMayWriteIsAWarning() throws IOException {
        Files.setPosixFilePermissions(made(), PosixFilePermissions.fromString("rw-rw-rw-"));
        assertFound(Level.WARNING, "permissions", "Everybody on this machine may write the file (rw-rw-rw-)");

        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));
        assertFound(Level.OK, "permissions", "rw-------.");
    }

    @ParameterizedTest
    @CsvSource({"PROBLEM, 1", "PROBLEM, 67108863", "WARNING, 67108864", "WARNING, 1073741823", "OK, 1073741824"})
    void littleRoomIsTold(Level level, long free) {
        Finding finding = Disk.room(folder, free, "ext4");

        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.found()).contains((free >> 20) + " MiB are free in " + folder + " (ext4)");
    }

    @ParameterizedTest
    @CsvSource({"OK, 900", "OK, 50000", "WARNING, 50001"})
    void aSlowFlushIsTold(Level level, long micros) {
        Finding finding = Disk.flushes(Duration.ofNanos(micros * 1_000));

        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.found()).startsWith("A flush takes " + micros + " µs.");
    }
}
