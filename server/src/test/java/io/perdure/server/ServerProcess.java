package io.perdure.server;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server in a process of its own. It ends when it is closed, or when the process that started it is gone. */
final class ServerProcess implements AutoCloseable {
    private static final String SERVES = "serves at ";

    private final Process process;
    private final String url;

    private ServerProcess(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /** What runs in the other process, over the store at the URL that is given. */
    public static void main(String[] arguments) throws IOException {
        try (PerdureServer server =
                PerdureServer.start(ServerOptions.of(arguments[0]).port(0))) {
            PrintStream answers =
                    new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
            answers.println(SERVES + server.url());
            // The end of its input is the end of its work.
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    /** Starts one over the store at this URL, and returns when it serves. */
    static ServerProcess start(String store) {
        return start(store, List.of());
    }

    /** Starts one that may have the given number of open files, and returns when it serves. */
    static ServerProcess startWithOpenFiles(String store, int files) {
        return start(store, List.of("sh", "-c", "ulimit -n " + files + " && exec \"$@\"", "sh"));
    }

    private static ServerProcess start(String store, List<String> before) {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ServerProcess.class.getName(),
                store));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new ServerProcess(process, url(process.inputReader()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String url(BufferedReader said) throws IOException {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(SERVES)) {
                return line.substring(SERVES.length());
            }
        }
        throw new IOException("the server ended before it served");
    }

    long pid() {
        return process.pid();
    }

    String url() {
        return url;
    }

    /** Kills it, and waits until it is gone. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
