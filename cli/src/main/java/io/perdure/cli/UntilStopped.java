package io.perdure.cli;

import io.perdure.server.PerdureServer;
import java.util.concurrent.CountDownLatch;

/** Keeps a server up until the process is told to end, and then lets it end in good order. */
final class UntilStopped {
    private final Terminal terminal;

    UntilStopped(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Returns when somebody interrupts; a signal to the process closes the server and ends the process. */
    void keepUp(PerdureServer server) {
        Thread hook = new Thread(server::close, "perdure-shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        terminal.out().flush();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            Runtime.getRuntime().removeShutdownHook(hook);
            server.close();
        }
    }
}
