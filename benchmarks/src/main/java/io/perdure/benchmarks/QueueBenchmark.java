package io.perdure.benchmarks;

import io.perdure.benchmarks.Stopwatch.Measured;
import io.perdure.benchmarks.Stopwatch.Turn;
import io.perdure.core.queue.Delivery;
import io.perdure.core.queue.MessageQueue;
import io.perdure.core.queue.Outgoing;
import io.perdure.core.queue.Receiving;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The workload of a queue: callers that send, receivers that receive and acknowledge. */
final class QueueBenchmark {
    private static final int RUNS = 3;
    private static final int CALLERS = 500;
    private static final int BATCH_CALLERS = 16;
    private static final int RECEIVERS = 16;
    private static final int BATCH = 100;

    /** Messages between their send and their acknowledgement, at most: a backlog that stays in bounds. */
    private static final int IN_FLIGHT = 10_000;

    static final Json BODY = Json.of("{\"order\":48151623,\"customer\":\"c-1234567\",\"lines\":[{\"sku\":\"A-17\","
            + "\"count\":2},{\"sku\":\"B-4\",\"count\":1}]}");

    private final WorkFolder folder;
    private final Duration warmUp;
    private final Duration span;
    private final Consumer<String> progress;

    QueueBenchmark(WorkFolder folder, Duration warmUp, Duration span, Consumer<String> progress) {
        this.folder = folder;
        this.warmUp = warmUp;
        this.span = span;
        this.progress = progress;
    }

    QueueReport run() {
        progress.accept("send, " + CALLERS + " callers ...");
        double send = median(this::send);
        progress.accept("send, " + BATCH + " at a time ...");
        double sendBatch = median(this::sendBatch);
        progress.accept("send, receive and ack ...");
        Measured processed = medianOf(this::processed);
        progress.accept("idle, one message at a time ...");
        IdleTimes idle = idle();
        progress.accept("the same, one transaction each ...");
        UnbatchedBenchmark unbatched = new UnbatchedBenchmark(folder, warmUp, span);
        int connections = unbatched.bestPoolSize();
        double unbatchedSend = median(() -> unbatched.send(connections));
        Measured unbatchedProcessed = medianOf(() -> unbatched.processed(connections));
        return new QueueReport(
                Machine.describe(folder),
                send,
                sendBatch,
                processed.perSecond(),
                idle.p50(),
                idle.p99(),
                processed.rowsEach(),
                processed.flushesEach(),
                unbatchedSend,
                unbatchedProcessed.perSecond(),
                unbatchedProcessed.flushesEach(),
                connections);
    }

    private static double median(DoubleSupplier run) {
        double[] figures = DoubleStream.generate(run).limit(RUNS).sorted().toArray();
        return figures[RUNS / 2];
    }

    private Engine engine() {
        folder.clear();
        return Engine.open("jdbc:sqlite:" + folder.newFile());
    }

    private double send() {
        try (Engine engine = engine()) {
            MessageQueue queue = engine.queue();
            return new Stopwatch(warmUp, span)
                    .perSecond(callers(CALLERS, () -> queue.send(BODY).created() ? 1 : 0), List.of());
        }
    }

    private double sendBatch() {
        List<Outgoing> messages = Collections.nCopies(BATCH, Outgoing.of(BODY));
        try (Engine engine = engine()) {
            MessageQueue queue = engine.queue();
            return new Stopwatch(warmUp, span)
                    .perSecond(
                            callers(BATCH_CALLERS, () -> queue.sendAll(messages).size()), List.of());
        }
    }

    private static List<Turn> callers(int count, Turn turn) {
        return Collections.nCopies(count, turn);
    }

    /** The run whose rate is the median; its rows and flushes belong to it. */
    private static Measured medianOf(Supplier<Measured> run) {
        return Stream.generate(run)
                .limit(RUNS)
                .sorted(Comparator.comparingDouble(Measured::perSecond))
                .skip(RUNS / 2)
                .findFirst()
                .orElseThrow();
    }

    private Measured processed() {
        try (Engine engine = engine()) {
            MessageQueue queue = engine.queue();
            Semaphore room = new Semaphore(IN_FLIGHT);
            Stopwatch watch = new Stopwatch(warmUp, span, () -> room.release(CALLERS));
            Turn send = () -> {
                room.acquire();
                return queue.send(BODY).created() ? 1 : 0;
            };
            Turn receive = () -> {
                List<Delivery> deliveries = queue.receive(Receiving.upTo(BATCH).waiting(Duration.ofMillis(100)));
                if (!queue.ackAll(deliveries).isEmpty()) {
                    throw new IllegalStateException("a lease was lost");
                }
                room.release(deliveries.size());
                return deliveries.size();
            };
            return watch.measure(callers(RECEIVERS, receive), callers(CALLERS, send), engine::effort);
        }
    }

    private IdleTimes idle() {
        IdleTimes[] runs = new IdleTimes[RUNS];
        for (int run = 0; run < RUNS; run++) {
            try (Engine engine = engine()) {
                runs[run] = IdleTimes.measure(engine.queue(), warmUp, span);
            }
        }
        Arrays.sort(runs, (one, other) -> Double.compare(one.p50(), other.p50()));
        return runs[RUNS / 2];
    }
}
