package io.perdure.server.telemetry;

import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Another process that serves a file, works on the one run that there is, and sends its spans to a collector. It says where the run's second step stands in the trace once that
 * has begun, and goes on until it is killed, or whoever started it is gone.
 */
final class TracedProcess implements AutoCloseable {
    private static final String STAYS = "stays";

    private final Process process;

    private TracedProcess(Process process) {
        this.process = process;
    }

    /** What runs in the other process: the store's URL, the collector's, the file that it writes, and whether it stays in the second step. */
    public static void main(String[] arguments) throws IOException {
        Workflow<String, String> order = Workflow.named("order").run(String.class, String.class, (ctx, item) -> {
            ctx.step("reserve", () -> {});
            ctx.step("charge", () -> {
                say(Path.of(arguments[2]), ctx.attempt().traceparent());
                if (arguments[3].equals(STAYS)) {
                    new CountDownLatch(1).await();
                }
            });
            return item;
        });
        try (PerdureServer server =
                PerdureServer.start(ServerOptions.of(arguments[0]).port(0).otlpEndpoint(URI.create(arguments[1])))) {
            server.engine().register(order).start();
            server.engine().start(order, "lamp", StartOptions.defaults().idempotencyKey("once"));
            // The end of its input is the end of its work.
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    /** Whoever sees the file sees all of it. */
    private static void say(Path file, String line) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".draft");
        Files.writeString(draft, line);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Starts one that does not leave the second step. */
    static TracedProcess staying(String store, URI collector, Path said) throws IOException {
        return start(store, collector, said, STAYS);
    }

    /** Starts one that goes on to the end. */
    static TracedProcess goingOn(String store, URI collector, Path said) throws IOException {
        return start(store, collector, said, "goes on");
    }

    private static TracedProcess start(String store, URI collector, Path said, String how) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TracedProcess.class.getName(),
                store,
                collector.toString(),
                said.toString(),
                how);
        return new TracedProcess(new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Has it end its work, and waits until it has: then all of its spans are sent. */
    void leave() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }

    /** Kills it (SIGKILL), and waits until it is gone. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
