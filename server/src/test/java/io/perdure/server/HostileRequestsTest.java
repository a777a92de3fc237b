package io.perdure.server;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is sent to a server, it answers that the sender is at fault, or closes the connection; it loses nothing, and goes on. */
class HostileRequestsTest {
    private static final int REQUESTS = 20_000;
    private static final int STUBBORN = 4;

    @TempDir
    private Path directory;

    @Test
    void nothingThatIsSentMakesTheServerFailHangOrForget() throws Exception {
        try (PerdureServer server = PerdureServer.start(ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db"))
                .port(0)
                .maxBodyBytes(64 * 1024))) {
            new HostileRequests(server, REQUESTS, STUBBORN).check();
        }
    }
}
