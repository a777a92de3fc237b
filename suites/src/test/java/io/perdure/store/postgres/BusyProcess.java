package io.perdure.store.postgres;

import io.perdure.store.Witness;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Another process with {@link Traffic} of its own. It prints a line now and then, so that its parent knows that it is in the
 * middle of things, and goes on until it has done its rounds or is killed.
 */
final class BusyProcess implements AutoCloseable {
    static final int FOR_EVER = Integer.MAX_VALUE;
    private static final int SENDERS = 2;
    private static final int HANDLERS = 2;
    private static final int HANDLED_PER_LINE = 20;
    private static final int MOST_AHEAD = 40;
    private static final long REST_NANOS = 10_000_000;

    private final Process process;
    private final BufferedReader lines;

    private BusyProcess(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * What a process is to do.
     *
     * @param firstNumber of the messages it sends; no other process sends such numbers
     * @param rounds how often each of its threads does its deed
     * @param lease how long what it receives is leased
     */
    record Order(String url, Path record, long firstNumber, int rounds, Duration lease) {}

    /** What runs in the other process: the parts of an {@link Order}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int rounds = Integer.parseInt(arguments[3]);
        try (Witness witness = Witness.at(Path.of(arguments[1]));
                Traffic traffic = new Traffic(
                        arguments[0], witness, Long.parseLong(arguments[2]), Duration.parse(arguments[4]))) {
            for (Thread thread : threads(traffic, rounds)) {
                thread.join();
            }
        }
    }

    private static List<Thread> threads(Traffic traffic, int rounds) {
        PrintStream progress = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        AtomicLong ahead = new AtomicLong();
        AtomicLong handled = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int sender = 0; sender < SENDERS; sender++) {
            threads.add(start(rounds, () -> {
                while (rounds == FOR_EVER && ahead.get() > MOST_AHEAD) {
                    LockSupport.parkNanos(REST_NANOS);
                }
                ahead.addAndGet(traffic.send());
                return 1;
            }));
        }
        for (int handler = 0; handler < HANDLERS; handler++) {
            threads.add(start(rounds, () -> {
                int count = traffic.handle();
                ahead.addAndGet(-count);
                long before = handled.getAndAdd(count);
                if (before / HANDLED_PER_LINE != (before + count) / HANDLED_PER_LINE) {
                    progress.println(before + count);
                }
                return count;
            }));
        }
        threads.add(start(rounds, traffic::redrive));
        threads.add(start(rounds, traffic::start));
        threads.add(start(rounds, traffic::work));
        return threads;
    }

    /** What a thread does again and again; answers how much there was to do. */
    interface Deed {
        int run() throws Exception;
    }

    /** A process that cannot go on ends, with the reason on stderr, and must not look as if it were killed. */
    private static Thread start(int rounds, Deed deed) {
        return Thread.startVirtualThread(() -> {
            try {
                for (int round = 0; round < rounds; round++) {
                    if (deed.run() == 0) {
                        LockSupport.parkNanos(REST_NANOS);
                    }
                }
            } catch (Exception e) {
                Thread thread = Thread.currentThread();
                thread.getThreadGroup().uncaughtException(thread, e);
                Runtime.getRuntime().halt(70);
            }
        });
    }

    static BusyProcess start(Order order) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                BusyProcess.class.getName(),
                order.url(),
                order.record().toString(),
                Long.toString(order.firstNumber()),
                Integer.toString(order.rounds()),
                order.lease().toString());
        return new BusyProcess(new ProcessBuilder(command)
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

    /** Waits until it has done its rounds; answers its exit code. */
    int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    /** Freezes it (SIGSTOP): it keeps what it holds, and does nothing. */
    void pause() throws IOException, InterruptedException {
        signal("-STOP");
    }

    /** Lets it go on. */
    void resume() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IllegalStateException("kill %s ended with %s.".formatted(name, code));
        }
    }

    /** Kills it (SIGKILL), and waits until it is gone. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
