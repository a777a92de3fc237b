package io.perdure.server.worker;

import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import io.perdure.testkit.Exhaustive;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a worker was killed over is finished by others, and what it had finished is not done again. */
@Exhaustive
final class KilledWorkersTest {
    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // Given by JUnit.
    KilledWorkersTest() {}

    private void check(String store) throws IOException, InterruptedException, ExecutionException {
        try (PerdureServer server = PerdureServer.start(ServerOptions.of(store).port(0))) {
            new KilledWorkers(server, folder.resolve("witness")).check();
        }
    }

    @Test
    @Timeout(120)
    void overAFile() throws IOException, InterruptedException, ExecutionException {
        check("jdbc:sqlite:" + folder.resolve("app.db"));
    }
}
