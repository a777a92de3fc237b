package io.perdure.store.sqlite;

import io.perdure.core.Perdure;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import io.perdure.store.Witness;
import io.perdure.store.Witness.Fact;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Another process that sends numbered messages and acknowledges them as fast as it can, and says in its record only what it
 * was told. It prints a line now and then, so that its parent knows that it is in the middle of things, and goes on until it
 * is killed.
 */
final class BusyProcess implements AutoCloseable {
    static final String QUEUE = "work";
    static final Duration VISIBILITY = Duration.ofSeconds(2);
    private static final int SENDERS = 8;
    private static final int RECEIVERS = 3;
    private static final int ACKS_PER_LINE = 100;

    private final Process process;
    private final BufferedReader lines;

    private BusyProcess(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    static QueueSettings settings() {
        return QueueSettings.defaults().visibility(VISIBILITY).retries(100);
    }

    /** What runs in the other process: database, record, and the first number to send. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        PrintStream progress = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        try (Perdure perdure = Perdure.open("jdbc:sqlite:" + arguments[0]);
                Witness witness = Witness.at(Path.of(arguments[1]))) {
            MessageQueue queue = perdure.createQueue(QUEUE, settings());
            AtomicLong next = new AtomicLong(Long.parseLong(arguments[2]));
            AtomicLong acked = new AtomicLong();
            for (int sender = 0; sender < SENDERS; sender++) {
                Thread.startVirtualThread(() -> forever(() -> {
                    long number = next.getAndIncrement();
                    queue.send(Json.number(number));
                    witness.say(List.of(new Fact("sent", number)));
                }));
            }
            for (int receiver = 0; receiver < RECEIVERS; receiver++) {
                Thread.startVirtualThread(() -> forever(() -> {
                    handle(queue, witness);
                    if (acked.incrementAndGet() % ACKS_PER_LINE == 0) {
                        progress.println(acked.get());
                    }
                }));
            }
            Thread.currentThread().join();
        }
    }

    private static void handle(MessageQueue queue, Witness witness) throws IOException {
        for (Delivery delivery : queue.receive(Receiving.upTo(1).waiting(Duration.ofSeconds(5)))) {
            long number = Long.parseLong(delivery.body().text());
            witness.say(List.of(new Fact("received", number)));
            witness.say(List.of(new Fact("acking", number)));
            if (queue.ackAll(List.of(delivery)).isEmpty()) {
                witness.say(List.of(new Fact("acked", number)));
            }
        }
    }

    private interface Deed {
        void run() throws Exception;
    }

    /** A process that cannot go on ends, with the reason on stderr, and must not look as if it were killed. */
    private static void forever(Deed deed) {
        try {
            while (true) {
                deed.run();
            }
        } catch (Exception e) {
            Thread thread = Thread.currentThread();
            thread.getThreadGroup().uncaughtException(thread, e);
            Runtime.getRuntime().halt(70);
        }
    }

    static BusyProcess start(Path database, Path record, long firstNumber) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                BusyProcess.class.getName(),
                database.toString(),
                record.toString(),
                Long.toString(firstNumber));
        return new BusyProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Waits until it has printed so many lines; throws where it ended instead. */
    void awaitLines(int count) throws IOException {
        for (int line = 0; line < count; line++) {
            if (lines.readLine() == null) {
                throw new IllegalStateException("The process ended by itself.");
            }
        }
    }

    /** Kills it (SIGKILL), and waits until it is gone. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
