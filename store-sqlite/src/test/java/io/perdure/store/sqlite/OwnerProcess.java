package io.perdure.store.sqlite;

import io.perdure.sdk.StoreException;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Another process that asks for the lock and says what it was answered; then it holds what it got until a line tells it to let
 * go, or until it is killed.
 */
final class OwnerProcess implements AutoCloseable {
    private static final String HELD = "held";

    private final Process process;
    private final BufferedReader lines;
    private final Writer orders;

    private OwnerProcess(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** What runs in the other process. */
    public static void main(String[] arguments) throws IOException {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        try (OwnerLock _ = OwnerLock.take(DatabaseFile.at(Path.of(arguments[0])))) {
            answers.println(HELD);
            System.in.read();
        } catch (StoreException e) {
            answers.println(e.getMessage());
        }
    }

    static OwnerProcess start(Path database) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OwnerProcess.class.getName(),
                database.toString());
        return new OwnerProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Waits until it has answered. */
    String answer() throws IOException {
        String line = lines.readLine();
        return line == null ? "nothing" : line;
    }

    boolean holds() throws IOException {
        return answer().equals(HELD);
    }

    long pid() {
        return process.pid();
    }

    void letGo() throws IOException {
        orders.write("\n");
        orders.flush();
        process.onExit().join();
    }

    /** Ends it as a crash would: on POSIX by SIGKILL. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
