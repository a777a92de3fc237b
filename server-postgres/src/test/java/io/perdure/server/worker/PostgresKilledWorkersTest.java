package io.perdure.server.worker;

import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import io.perdure.testkit.Exhaustive;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a worker was killed over is finished by others, over a Postgres. */
@Exhaustive
final class PostgresKilledWorkersTest {
    @Test
    @Timeout(120)
    void whatItHeldIsFinishedByOthers(@TempDir Path folder)
            throws IOException, InterruptedException, ExecutionException {
        try (PrivatePostgres postgres =
                        PrivatePostgres.start(PostgresBinaries.bundled(), PrivatePostgres.WITHOUT_DURABILITY);
                PerdureServer server =
                        PerdureServer.start(ServerOptions.of(postgres.url()).port(0))) {
            new KilledWorkers(server, folder.resolve("witness")).check();
        }
    }
}
