package io.perdure.store.sqlite;

import static io.perdure.store.sqlite.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be, or must not be, Perdure's database. The tests read files directly only while no connection is open. */
class RefusedFilesTest {
    @TempDir
    private Path folder;

    @Test
    void aFolderThatIsNotThereIsNamedAndNotCreated() {
        Path missing = folder.resolve("data");

        refuses(() -> DatabaseFile.at(missing.resolve("app.db")), ErrorCode.STORE_UNREACHABLE)
                .hasMessageContaining("The folder " + missing + " does not exist");
        assertThat(missing).doesNotExist();
    }

    @Test
    void aFolderIsNoDatabase() {
        refuses(() -> DatabaseFile.at(folder), ErrorCode.STORE_UNREACHABLE)
                .hasMessageContaining(folder + " is a folder");
        refuses(() -> DatabaseFile.at(Path.of("/")), ErrorCode.STORE_UNREACHABLE)
                .hasMessageContaining("is a folder");
    }

    @Test
    void aFileIsNoFolder() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        refuses(() -> DatabaseFile.at(file.resolve("app.db")), ErrorCode.STORE_UNREACHABLE)
                .hasMessageContaining(file + ", where the database would be, is not a folder");
    }

    @Test
    void aLinkToNothingIsRefused() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("app.db"), folder.resolve("gone"));

        refuses(() -> DatabaseFile.at(link), ErrorCode.STORE_UNREACHABLE).hasMessageContaining("symbolic link");
    }

    @Test
    void aDeviceIsNoDatabase() {
        refuses(() -> DatabaseFile.at(Path.of("/dev/null")), ErrorCode.STORE_UNREACHABLE)
                .hasMessageContaining("/dev/null is not a file on a disk");
    }

    /** The superuser may write anywhere, says the system; that nothing can be created there shows only in trying. */
    @Test
    void aPlaceWhereNothingCanBeCreatedIsRefused() {
        refuses(() -> DatabaseFile.at(Path.of("/proc/app.db")).openWriter(), ErrorCode.STORE_UNREACHABLE)
                .hasMessageContaining("/proc");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 16, 99, 100, 5000})
    void aFileThatIsNoDatabaseIsLeftAsItIs(int size) throws IOException {
        byte[] text = new byte[size];
        Arrays.fill(text, (byte) 'x');
        Path file = Files.write(folder.resolve("notes.txt"), text);

        refuses(() -> DatabaseFile.at(file).openWriter(), ErrorCode.NOT_A_STORE).hasMessageContaining(file.toString());

        assertThat(file).hasBinaryContent(text);
        assertThat(folder).isDirectoryContaining(path -> path.equals(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"DELETE", "WAL"})
    void anotherProgramsDatabaseIsLeftAsItIs(String mode) throws Exception {
        Path file =
                foreign("PRAGMA journal_mode = " + mode, "CREATE TABLE theirs (x)", "INSERT INTO theirs VALUES (1)");
        byte[] before = Files.readAllBytes(file);

        refuses(() -> DatabaseFile.at(file).openWriter(), ErrorCode.NOT_A_STORE)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("application_id 0, user_version 0, 1 objects");
        refuses(() -> DatabaseFile.at(file).openReader(), ErrorCode.NOT_A_STORE);

        assertThat(file).hasBinaryContent(before);
        assertThat(folder.toFile().list()).containsExactly("theirs.db");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PRAGMA application_id = 42", "PRAGMA user_version = 1"})
    void aMarkOfAnotherProgramIsEnough(String mark) throws Exception {
        Path file = foreign(mark);

        refuses(() -> DatabaseFile.at(file).openWriter(), ErrorCode.NOT_A_STORE);
    }

    @Test
    void anEmptyFileIsTaken() throws IOException {
        Path file = Files.createFile(folder.resolve("app.db"));

        try (Session writer = DatabaseFile.at(file).openWriter()) {
            assertThat(writer.number("PRAGMA application_id")).isEqualTo(Identity.PERDURE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PRAGMA journal_mode = WAL", "VACUUM"})
    void anEmptyDatabaseIsTakenAndCanShrink(String made) throws Exception {
        Path file = foreign("CREATE TABLE gone (x)", "DROP TABLE gone", made);

        refuses(() -> DatabaseFile.at(file).openReader(), ErrorCode.NOT_A_STORE).hasMessageContaining("is empty");
        try (Session writer = DatabaseFile.at(file).openWriter()) {
            assertThat(writer.number("PRAGMA application_id")).isEqualTo(Identity.PERDURE);
            assertThat(Pragma.AUTO_VACUUM.holds(writer)).isTrue();
            assertThat(Pragma.JOURNAL_MODE.holds(writer)).isTrue();
        }
    }

    @Test
    void aNewerSchemaIsLeftAsItIs() throws Exception {
        Path file = perdures();
        try (Session writer = DatabaseFile.at(file).openWriter()) {
            writer.execute("PRAGMA user_version = " + (Migrations.newest() + 1));
        }
        byte[] before = Files.readAllBytes(file);

        refuses(() -> DatabaseFile.at(file).openWriter(), ErrorCode.STORE_NEWER)
                .hasMessageContaining("schema version " + (Migrations.newest() + 1));
        refuses(() -> DatabaseFile.at(file).openReader(), ErrorCode.STORE_NEWER);

        assertThat(file).hasBinaryContent(before);
    }

    @Test
    void aTruncatedDatabaseIsDamaged() throws Exception {
        Path file = perdures();
        cut(file, 3 * 4096);

        refuses(() -> DatabaseFile.at(file).openWriter(), ErrorCode.STORE_DAMAGED)
                .hasMessageContaining(file.toString());
    }

    @Test
    void damageToTheSchemaIsFoundWhenOpened() throws Exception {
        Path file = perdures();
        // The first page stays: it says whose the file is.
        overwrite(file, 4096);

        refuses(() -> DatabaseFile.at(file).openWriter(), ErrorCode.STORE_DAMAGED)
                .hasMessageContaining(file.toString());
    }

    @Test
    void damageToARowIsFoundWhenRead() throws Exception {
        Path file = perdures();
        long before = Files.size(file);
        try (Session writer = DatabaseFile.at(file).openWriter()) {
            writer.update("INSERT INTO lane_batch VALUES (?, 1, 1, 1, 1, ?)", new byte[16], new byte[1 << 20]);
        }
        overwrite(file, before + 4096);

        try (Session writer = DatabaseFile.at(file).openWriter()) {
            assertThat(writer.number("SELECT latest FROM clock")).isZero();
            refuses(() -> writer.first("SELECT outcomes FROM lane_batch", row -> row.bytes(1)), ErrorCode.STORE_DAMAGED)
                    .hasMessageContaining(file.toString());
        }
    }

    @Test
    void anOverwrittenHeaderIsNoDatabase() throws Exception {
        Path file = perdures();
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.write(new byte[100]);
        }

        refuses(() -> DatabaseFile.at(file).openWriter(), ErrorCode.NOT_A_STORE);
    }

    /** SQLite would begin anew and delete the log, in which may be all that was ever acknowledged. */
    @Test
    void aLogWithoutItsDatabaseIsNotThrownAway() throws Exception {
        Path file = perdures();
        byte[] log = {1, 2, 3};
        Path wal = Files.write(folder.resolve("app.db-wal"), log);

        Files.delete(file);
        refuses(() -> DatabaseFile.at(file).openWriter(), ErrorCode.STORE_DAMAGED)
                .hasMessageContaining("is gone, but its log app.db-wal holds data");
        assertThat(file).doesNotExist();

        Files.createFile(file);
        refuses(() -> DatabaseFile.at(file).openWriter(), ErrorCode.STORE_DAMAGED)
                .hasMessageContaining("is empty, but");
        refuses(() -> DatabaseFile.at(file).openReader(), ErrorCode.STORE_DAMAGED);
        assertThat(wal).hasBinaryContent(log);
    }

    private Path perdures() {
        Path file = folder.resolve("app.db");
        DatabaseFile.at(file).openWriter().close();
        return file;
    }

    private Path foreign(String... statements) throws SQLException {
        Path file = folder.resolve("theirs.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
        return file;
    }

    private static void overwrite(Path file, long from) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            byte[] rubbish = new byte[(int) (bytes.length() - from)];
            Arrays.fill(rubbish, (byte) 0x5a);
            bytes.seek(from);
            bytes.write(rubbish);
        }
    }

    private static void cut(Path file, long bytes) throws IOException {
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw")) {
            content.setLength(bytes);
        }
    }
}
