package io.perdure.cli.demo;

import io.perdure.cli.demo.WitnessLine.What;
import io.perdure.core.Perdure;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The demo itself: one process starts an order and is killed in the middle of a step; a signal is sent while none is there;
 * another process, on the same SQLite file, finishes the order; then what the steps wrote down is judged. It leaves nothing behind
 * where all promises were kept, and everything where one was broken.
 */
public final class Demo {
    private static final String ORDER = "A-17";

    private final Environment environment = new SystemEnvironment();
    private final Screen screen;
    private final long deadlineNanos;
    private final Path folder;
    private final Witness witness;

    /**
     * What the demo showed.
     *
     * @param run the run that was killed and finished
     * @param history what the store knows of it
     * @param took how long the demo took
     * @param witness the file that the steps wrote; it is gone where all promises were kept
     */
    public record Report(RunId run, List<Promise> promises, List<Recorded> history, Duration took, Path witness) {
        /** Whether all promises were kept. */
        public boolean isKept() {
            return promises.stream().allMatch(Promise::kept);
        }
    }

    private Demo(Consumer<String> out, boolean colours, Duration atMost, Path folder) {
        this.screen = new Screen(out, colours, environment);
        this.deadlineNanos = environment.nanoTime() + atMost.toNanos();
        this.folder = folder;
        this.witness = new Witness(folder, environment.clock());
    }

    /**
     * Runs the demo, telling what happens a line at a time. {@code PD-905} where it cannot be done, or not
     * within that time.
     */
    public static Report run(Consumer<String> out, boolean colours, Duration atMost) {
        try {
            Path folder = Files.createTempDirectory("perdure-demo-");
            Report report = new Demo(out, colours, atMost, folder).runIn();
            if (report.isKept()) {
                delete(folder);
            }
            return report;
        } catch (IOException e) {
            throw failed("Its files cannot be written: " + e + ".", e);
        }
    }

    private Report runIn() {
        try {
            return play();
        } catch (DemoStoppedException | PerdureException e) {
            throw failed(e.getMessage() + " Its files are in " + folder + ".", e);
        } catch (IOException e) {
            throw failed(e + ". Its files are in " + folder + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("It was interrupted. Its files are in " + folder + ".", e);
        }
    }

    private static RefusedException failed(String why, Throwable cause) {
        return new RefusedException(ErrorCode.DEMO_FAILED, "The demo was not finished. " + why, cause);
    }

    private Report play() throws IOException, InterruptedException {
        try (Tail tail = new Tail(folder, witness, environment, deadlineNanos)) {
            Child first = Child.start("worker-1", folder, ORDER);
            try (first) {
                screen.started("worker 1", first.pid());
                RunId run = RunId.parse(
                        follow(tail, first, OrderWorkflow.CHARGE, What.DONE).run());
                // Opened while the run sleeps: that takes a moment, in which nothing could be told.
                try (Perdure perdure = Perdure.open(DemoWorker.url(folder))) {
                    follow(tail, first, OrderWorkflow.PACK, What.DID);
                    int exitCode = first.kill();
                    screen.killed(first.pid(), exitCode);
                    List<Boolean> sent = List.of(signal(perdure, run), signal(perdure, run));
                    screen.signalled();
                    return finish(tail, perdure.run(run), new Killed(first.pid(), exitCode, sent));
                }
            }
        }
    }

    /** What was done to the first process, and when it was gone. */
    private record Killed(long pid, int exitCode, List<Boolean> sent) {}

    /** Sends the courier; false where that was done before. */
    private static boolean signal(Perdure perdure, RunId run) {
        return perdure.signal(run, OrderWorkflow.COURIER, OrderWorkflow.Courier.of(order()), "courier-of-" + ORDER);
    }

    private static OrderWorkflow.Order order() {
        return OrderWorkflow.order(ORDER);
    }

    private WitnessLine follow(Tail tail, Child child, String step, What what)
            throws IOException, InterruptedException {
        WitnessLine line = tail.next(child);
        screen.saw(line);
        while (!line.is(step, what)) {
            line = tail.next(child);
            screen.saw(line);
        }
        return line;
    }

    private Report finish(Tail tail, Run<Json> run, Killed killed) throws IOException, InterruptedException {
        try (Child second = Child.start("worker-2", folder)) {
            screen.started("worker 2", second.pid());
            follow(tail, second, OrderWorkflow.MAIL, What.DONE);
            Json result = run.result(Duration.ofNanos(Math.max(0, deadlineNanos - environment.nanoTime())));
            screen.completed();
            List<Recorded> history = run.history();
            Verdict.Facts facts = new Verdict.Facts(
                    new Verdict.Processes(killed.pid(), second.pid(), killed.exitCode()),
                    new Verdict.Signals(killed.sent(), json(OrderWorkflow.Courier.of(order())), received(history)),
                    result,
                    json(OrderWorkflow.Receipt.of(order())));
            List<Promise> promises = Verdict.judge(witness.lines(), facts);
            second.stop();
            return new Report(run.id(), promises, history, screen.elapsed(), folder.resolve(Witness.FILE));
        }
    }

    private static Json json(Object expected) {
        return Codec.standard().write(expected, "What is expected");
    }

    private static List<Json> received(List<Recorded> history) {
        return history.stream()
                .map(Recorded::event)
                .filter(Event.EventReceived.class::isInstance)
                .map(event -> ((Event.EventReceived) event).payload())
                .toList();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
