package io.perdure.testkit.queue;

import io.perdure.core.store.Ledger;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.testkit.queue.Observer.Office;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Another process with a {@link GroupShift} of its own. It prints a line now and then, so that
 * its parent knows that it is in the middle of things. When its input ends it sends no more, works until nothing is left, and ends.
 */
final class GroupProcess implements AutoCloseable {
    private static final int HANDLED_PER_LINE = 25;

    private final Process process;
    private final BufferedReader lines;

    private GroupProcess(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    /** What runs in the other process: URL, journal, its name, and the first number that it sends. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Environment environment = new SystemEnvironment();
        try (Journal journal = Journal.at(Path.of(arguments[1]));
                Store store = Stores.open(arguments[0], environment, Limits.defaults());
                Ledger ledger = Ledger.open(store, environment, Limits.defaults())) {
            PrintStream progress =
                    new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
            Office office = new Office(store, ledger, environment, journal);
            GroupShift shift = GroupShift.begin(office, arguments[2], Long.parseLong(arguments[3]), handled -> {
                if (handled % HANDLED_PER_LINE == 0) {
                    progress.println(handled);
                }
            });
            System.in.transferTo(PrintStream.nullOutputStream());
            shift.finish();
        }
    }

    static GroupProcess start(String url, Path journal, String name, long firstNumber) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                GroupProcess.class.getName(),
                url,
                journal.toString(),
                name,
                Long.toString(firstNumber));
        return new GroupProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Waits until it has printed so many lines more; throws where it ended instead. */
    void awaitLines(int count) throws IOException {
        for (int line = 0; line < count; line++) {
            if (lines.readLine() == null) {
                throw new IllegalStateException("The process ended by itself.");
            }
        }
    }

    /** Lets it work until nothing is left; answers its exit code. */
    int finish() throws IOException, InterruptedException {
        process.getOutputStream().close();
        return process.waitFor();
    }

    /** Kills it (SIGKILL), and waits until it is gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
