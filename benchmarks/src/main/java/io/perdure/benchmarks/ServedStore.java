package io.perdure.benchmarks;

import io.perdure.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A store that a {@code perdure server} in a process of its own serves. */
final class ServedStore implements AutoCloseable {
    private final Process process;
    private final String url;

    private ServedStore(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /** Starts a server over a store, at a port that is free. */
    static ServedStore serve(String store) {
        ProcessBuilder command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // SQLite is native code.
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "server",
                        "--port",
                        "0")
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        // What is set for the commands of whoever measures is not for this server.
        command.environment().keySet().removeIf(name -> name.startsWith("PERDURE_") || name.startsWith("WORKFLOWS_"));
        // Not an argument, which others can read: it may hold a password.
        command.environment().put("PERDURE_STORE", store);
        try {
            Process process = command.start();
            return new ServedStore(process, url(process));
        } catch (IOException e) {
            throw new UncheckedIOException("The server of the benchmark cannot be started.", e);
        }
    }

    private static String url(Process process) throws IOException {
        BufferedReader says = process.inputReader(StandardCharsets.UTF_8);
        String line = says.readLine();
        if (line == null || !line.contains(" at http")) {
            process.destroyForcibly();
            throw new IllegalStateException("The server of the benchmark did not start: " + line);
        }
        return line.substring(line.lastIndexOf(" at ") + " at ".length()).strip();
    }

    String url() {
        return url;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
