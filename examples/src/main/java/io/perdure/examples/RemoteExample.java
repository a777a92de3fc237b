package io.perdure.examples;

import io.perdure.client.PerdureClient;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The same workflow, worked on from elsewhere: a server has the store, and the worker has a URL. */
final class RemoteExample {
    private final List<String> told = new CopyOnWriteArrayList<>();

    private final Workflow<String, String> greet = Workflow.named("greet")
            .run(String.class, String.class, (ctx, name) -> ctx.step("compose", String.class, () -> "hello " + name));

    private RemoteExample() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tellAll("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Serves the store of this URL, and works for the server; tells what happened. */
    static List<String> tellAll(String store) {
        RemoteExample example = new RemoteExample();
        try (PerdureServer server = PerdureServer.start(ServerOptions.of(store).port(0))) {
            example.work(server.url().toString());
        }
        return example.told;
    }

    private void work(String url) {
        // region connect
        try (Engine perdure = PerdureClient.connect(url).register(greet).start()) { // instead of Perdure.open(store)
            Run<String> run = perdure.start(greet, "ann");
            told.add(run.result(Duration.ofMinutes(1)));
        }
        // endregion
    }
}
