package io.perdure.testkit.queue;

import io.perdure.core.store.Ledger;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.testkit.queue.GroupShift.Watch;
import io.perdure.testkit.queue.Observer.Office;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;

/**
 * Another process with a {@link GroupShift} of its own. It prints a line now and then, so that
 * its parent knows that it is in the middle of things. When its input ends it sends no more, works until nothing is left, and ends.
 */
final class GroupProcess implements AutoCloseable {
    private static final int HANDLED_PER_LINE = 25;
    private static final int CANNOT_GO_ON = 70;

    /** Longer than a shift waits for its end: then it says itself what is wrong. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** How long it may say nothing. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

    private final String name;
    private final Process process;
    private final BufferedReader lines;

    private GroupProcess(String name, Process process) {
        this.name = name;
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
            Watch watch = new Watch(
                    handled -> {
                        if (handled % HANDLED_PER_LINE == 0) {
                            progress.println(handled);
                        }
                    },
                    GroupProcess::halt);
            GroupShift shift = GroupShift.begin(office, arguments[2], Long.parseLong(arguments[3]), watch);
            System.in.transferTo(PrintStream.nullOutputStream());
            shift.finish();
        }
    }

    /** A process that cannot go on ends, with the reason on stderr, and must not look as if it were killed. */
    private static void halt(Throwable failure) {
        Thread thread = Thread.currentThread();
        thread.getThreadGroup().uncaughtException(thread, failure);
        Runtime.getRuntime().halt(CANNOT_GO_ON);
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
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new GroupProcess(name, process);
    }

    String name() {
        return name;
    }

    /** Waits until it has printed so many lines from now on; throws where it ended instead, and ends it where it takes too long. */
    void awaitLines(int count) throws IOException {
        Timer watchdog = new Timer("watchdog", true);
        watchdog.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        process.destroyForcibly();
                    }
                },
                LONGEST_SILENCE.toMillis());
        try {
            while (lines.ready() && lines.readLine() != null) {
                // Was printed before now.
            }
            for (int line = 0; line < count; line++) {
                if (lines.readLine() == null) {
                    throw new IllegalStateException(
                            "The process ended by itself, or did not print %s lines within %s and was ended."
                                    .formatted(count, LONGEST_SILENCE));
                }
            }
        } finally {
            watchdog.cancel();
        }
    }

    /** Lets it work until nothing is left; answers its exit code. Throws where it does not end. */
    int finish() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(PATIENCE)) {
            throw new IllegalStateException("The process did not end within " + PATIENCE);
        }
        return process.exitValue();
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
