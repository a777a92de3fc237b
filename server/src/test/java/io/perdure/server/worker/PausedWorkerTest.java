package io.perdure.server.worker;

import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import io.perdure.testkit.Exhaustive;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a worker held when it stood still for longer than its lease is finished by others, over a file. */
@Exhaustive
final class PausedWorkerTest {
    @Test
    @Timeout(120)
    void whatItNoLongerLeasesItDoesNotChange(@TempDir Path folder) throws IOException, InterruptedException {
        try (PerdureServer server = PerdureServer.start(
                ServerOptions.of("jdbc:sqlite:" + folder.resolve("app.db")).port(0))) {
            new PausedWorker(server, folder.resolve("witness")).check();
        }
    }
}
