package io.perdure.cli;

import io.perdure.cli.dev.DevWorkflows;
import io.perdure.core.store.Stores;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.Ids;
import io.perdure.sdk.id.RunId;
import io.perdure.server.PerdureServer;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure dev}: a server with workflows of its own, to try things out. */
@Command(
        name = "dev",
        header = "Serves a file over HTTP, with three workflows that already run, to try things out.",
        description = {
            "The workflows are onboard_user, approval (which waits for the event \"decision\") and order (a StepFlow).",
            "Everything is kept in perdure-dev.db in this folder, unless --store says otherwise: stop it at any time,",
            "kill it if you like, and start it again. It takes what \"perdure server\" takes."
        })
final class DevCommand implements Runnable {
    static final String DEFAULT_STORE = "jdbc:sqlite:perdure-dev.db";

    private final Terminal terminal;
    private final RootCommand root;

    @Mixin
    private ServerOption options = new ServerOption();

    DevCommand(Terminal terminal, RootCommand root) {
        this.terminal = terminal;
        this.root = root;
    }

    @Override
    public void run() {
        Settings settings = options.settings(terminal);
        LibraryLog.show(settings.log().stacks(root.stackTraces()), terminal.err());
        // Not what the environment says: these workflows would take up runs of others that bear their names.
        String store = options.store().orElse(DEFAULT_STORE);
        PerdureServer server = StoreOption.found(store, url -> PerdureServer.start(settings.options(url)));
        try {
            DevWorkflows.all().forEach(server.engine()::register);
            server.engine().start();
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        banner(server.url().toString(), Stores.shown(store), server.needsKey()).forEach(terminal.out()::println);
        new UntilStopped(terminal).keepUp(server);
    }

    /** What to look at, and lines to copy: each works as it stands. */
    static List<String> banner(String url, String store, boolean needsKey) {
        // Ids that nobody has used, so that the lines work however often they are printed.
        Ids ids = new SystemEnvironment().ids();
        RunId signup = ids.runId();
        RunId approval = ids.runId();
        String runs = url + "/v1/workflows/";
        String key = needsKey ? " -H \"Authorization: Bearer $PERDURE_KEY\"" : "";
        String json = key + " -H 'Content-Type: application/json' -d ";
        return List.of(
                "Perdure is ready, and keeps everything in " + store + ".",
                needsKey
                        ? "It has keys: put one into PERDURE_KEY (perdure key create me --store " + ShellWord.of(store)
                                + ")."
                        : "",
                "  What it answers   " + url + "/",
                "  OpenAPI           " + url + "/openapi.json",
                "  Health            " + url + "/livez  " + url + "/readyz",
                "",
                "Start a run, and wait for what comes of it:",
                "  curl -s " + runs + "onboard_user/runs" + json
                        + "'{\"input\": {\"email\": \"ann@example.com\"}, \"runId\": \"" + signup
                        + "\"}'",
                "  curl -s '" + runs + "onboard_user/runs/" + signup + "/result?wait=30'" + key,
                "",
                "A run that waits for somebody, and the answer it waits for:",
                "  curl -s " + runs + "approval/runs" + json + "'{\"input\": {\"what\": \"a new chair\"}, \"runId\": \""
                        + approval + "\"}'",
                "  curl -s " + runs + "approval/runs/" + approval + "/signals/decision" + json
                        + "'{\"approved\": true, \"by\": \"Mia\"}'",
                "  curl -s '" + runs + "approval/runs/" + approval + "/steps'" + key,
                "",
                "A StepFlow whose second step fails once, and is tried again:",
                "  curl -s " + runs + "order/runs" + json + "'{\"input\": {\"item\": \"lamp\", \"cents\": 4200}}'",
                "  curl -s '" + runs + "order/runs?limit=5'" + key,
                "",
                "A queue:",
                "  curl -s " + url + "/v1/queues" + json + "'{\"name\": \"mail\"}'",
                "  curl -s " + url + "/v1/queues/mail/messages" + json + "'{\"body\": {\"to\": \"ann@example.com\"}}'",
                "  curl -s " + url + "/v1/queues/mail/receive" + json + "'{\"wait\": 5}'",
                "",
                "From the shell:  perdure runs list --server " + url,
                "Ctrl-C stops it; kill -9 does no harm either.");
    }
}
