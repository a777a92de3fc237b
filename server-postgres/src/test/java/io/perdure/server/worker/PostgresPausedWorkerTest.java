package io.perdure.server.worker;

import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import io.perdure.testkit.Exhaustive;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a worker held when it stood still for longer than its lease is finished by others, over a Postgres. */
@Exhaustive
final class PostgresPausedWorkerTest {
    @Test
    @Timeout(120)
    void whatItNoLongerLeasesItDoesNotChange(@TempDir Path folder) throws IOException, InterruptedException {
        try (PrivatePostgres postgres =
                        PrivatePostgres.start(PostgresBinaries.bundled(), PrivatePostgres.WITHOUT_DURABILITY);
                PerdureServer server =
                        PerdureServer.start(ServerOptions.of(postgres.url()).port(0))) {
            new PausedWorker(server, folder.resolve("witness")).check();
        }
    }
}
