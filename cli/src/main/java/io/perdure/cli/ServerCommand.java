package io.perdure.cli;

import io.perdure.core.store.Stores;
import io.perdure.server.PerdureServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure server}: serves a store over HTTP. */
@Command(
        name = "server",
        header = "Serves a store over HTTP: REST, and runs for workers elsewhere.",
        description = {
            "Workflows run in workers, which connect with the client library; the server has no code of theirs.",
            "It stops in good order when it is told to end (Ctrl-C, SIGTERM).",
            "",
            "Each flag can also be a variable (--max-waiting is PERDURE_MAX_WAITING) or a line in the file of --config."
        },
        footer = {
            "Examples:",
            "  perdure server",
            "  perdure server --store jdbc:postgresql://db/app --port 7451",
            "  perdure key create ci && perdure server --host 0.0.0.0 --tls-certificate c.pem --tls-key k.pem"
        })
final class ServerCommand implements Runnable {
    private final Terminal terminal;
    private final RootCommand root;

    @Mixin
    private ServerOption options = new ServerOption();

    ServerCommand(Terminal terminal, RootCommand root) {
        this.terminal = terminal;
        this.root = root;
    }

    @Override
    public void run() {
        Settings settings = options.settings(terminal);
        LibraryLog.show(settings.log().stacks(root.stackTraces()), terminal.err());
        String asked = settings.store();
        String store = asked == null ? StoreOption.DEFAULT : asked;
        PerdureServer server = StoreOption.found(store, url -> PerdureServer.start(settings.options(url)));
        terminal.out().println("Perdure serves " + Stores.shown(store) + " at " + server.url());
        terminal.out()
                .println(
                        server.needsKey()
                                ? "Callers show a key."
                                : "No key is needed: there is none, and only this machine can reach it.");
        terminal.out().println("What it answers:  " + server.url() + "/");
        new UntilStopped(terminal).keepUp(server);
    }
}
