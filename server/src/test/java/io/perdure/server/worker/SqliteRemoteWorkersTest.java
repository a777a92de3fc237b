package io.perdure.server.worker;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Over a file. */
final class SqliteRemoteWorkersTest extends RemoteWorkersContract {
    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // Given by JUnit.
    SqliteRemoteWorkersTest() {}

    @Override
    String freshUrl() {
        return "jdbc:sqlite:" + folder.resolve("app.db");
    }
}
