package io.perdure.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that works on the demo's order. Closing this kills it, as does the end of the process that started it. */
final class Child implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Process process;
    private final Path log;
    private final Thread lastResort;

    private Child(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.lastResort = Thread.ofPlatform().unstarted(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(lastResort);
    }

    /** Starts a process with this one's Java and class path; what it says goes to a file of its name. */
    static Child start(String name, Path folder, String... order) throws IOException {
        Path log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // It is all start-up, as are the launcher's commands.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                // SQLite is native code.
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                DemoWorker.class.getName(),
                folder.toString()));
        command.addAll(List.of(order));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Child(process, log);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it with a signal that it cannot see coming (SIGKILL); answers its exit code. */
    int kill() throws InterruptedException {
        process.destroyForcibly();
        return process.waitFor();
    }

    /** The last thing it said; empty where it said nothing. */
    String lastWords() throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> !line.isBlank())
                .reduce((_, last) -> last)
                .orElse("");
    }

    /** Tells it to end, and gives it some time to do so in order. */
    void stop() throws IOException, InterruptedException {
        // The end of its input is the end of its work.
        process.getOutputStream().close();
        process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Kills it where it has not ended. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        removeLastResort();
    }

    private void removeLastResort() {
        try {
            Runtime.getRuntime().removeShutdownHook(lastResort);
        } catch (IllegalStateException e) {
            // This process ends already, and the hook does its work.
        }
    }
}
