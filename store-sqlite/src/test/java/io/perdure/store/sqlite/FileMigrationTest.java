package io.perdure.store.sqlite;

import static io.perdure.store.sqlite.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.store.StoreMigration;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileMigrationTest {
    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("app.db");
    }

    private StoreMigration migration() {
        return new SqliteProvider().migration("jdbc:sqlite:" + file());
    }

    private static List<String> all() {
        return Migrations.ALL.stream().map(Migrations.Migration::name).toList();
    }

    @Test
    void whatIsMissingIsToldWithoutMakingAFile() {
        assertThat(migration().missing()).isEqualTo(all());
        assertThat(migration().script()).isEqualTo(migration().script(0));
        assertThat(file()).doesNotExist();

        assertThat(migration().apply()).isEqualTo(all().size());
        assertThat(migration().missing()).isEmpty();
        assertThat(migration().apply()).isZero();
        assertThat(migration().script()).isEqualTo("-- Nothing is missing.\n");
    }

    @Test
    void anEmptyFileLacksEverything() throws IOException {
        Files.createFile(file());

        assertThat(migration().missing()).isEqualTo(all());
    }

    @Test
    void whatIsPrintedDoesTheSame() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(migration().script());
        }

        assertThat(migration().missing()).isEmpty();
        try (Session writer = DatabaseFile.at(file()).openWriter()) {
            assertThat(Identity.of(writer).isPerdure()).isTrue();
            assertThat(writer.number("SELECT count(*) FROM sqlite_schema")).isGreaterThan(5);
        }
    }

    @Test
    void theDatabaseOfAnotherProgramIsRefused() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE customer (id INTEGER)");
        }

        refuses(() -> migration().missing(), ErrorCode.NOT_A_STORE);
        refuses(() -> migration().apply(), ErrorCode.NOT_A_STORE);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1000})
    void aNumberThatThereIsNotIsRefused(int from) {
        assertThatThrownBy(() -> migration().script(from))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("PD-007 There is no migration " + from);
    }
}
