package io.perdure.benchmarks;

import io.perdure.benchmarks.QueueReport.Together;
import io.perdure.benchmarks.Stopwatch.Measured;
import io.perdure.benchmarks.Stopwatch.Turn;
import io.perdure.core.store.Effort;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The workload of a queue: callers that send, receivers that receive and acknowledge. */
final class QueueBenchmark {
    private static final int BATCH_CALLERS = 16;

    private final Target target;
    private final Pace pace;
    private final Consumer<String> progress;

    QueueBenchmark(Target target, Pace pace, Consumer<String> progress) {
        this.target = target;
        this.pace = pace;
        this.progress = progress;
    }

    /** @param processes how many at once the whole trip is measured with besides, number by number */
    QueueReport run(List<Integer> processes) {
        progress.accept("send, " + Trips.SENDERS + " callers ...");
        double send = median(this::send);
        progress.accept("send, " + Trips.BATCH + " at a time ...");
        double sendBatch = median(this::sendBatch);
        progress.accept("send, receive and ack ...");
        Measured processed = medianOf(this::processed, Comparator.comparingDouble(Measured::perSecond));
        progress.accept("idle, one message at a time ...");
        Spread idle = medianOf(this::idle, Comparator.comparingDouble(Spread::p50));
        List<Figure> more = new ArrayList<>();
        more.add(figure("send_lone", "send, one caller", this::sendLone));
        more.add(backlog("consumer", "consumer, 16 at once", ConsumeOptions.defaults()));
        more.add(backlog(
                "consumer_256",
                "consumer, 256 at once",
                ConsumeOptions.defaults().concurrency(256)));
        more.add(groups("groups_1", "FIFO, 1 group", 1));
        more.add(groups("groups_100", "FIFO, 100 groups", 100));
        more.add(groups("groups_10000", "FIFO, 10,000 groups", 10_000));
        List<Together> together = together(processes);
        progress.accept("the same, one transaction each ...");
        UnbatchedBenchmark unbatched = new UnbatchedBenchmark(target, pace);
        int connections = unbatched.bestPoolSize();
        double unbatchedSend = median(() -> unbatched.send(connections));
        Measured unbatchedProcessed =
                medianOf(() -> unbatched.processed(connections), Comparator.comparingDouble(Measured::perSecond));
        return new QueueReport(
                Machine.describe(target),
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
                connections,
                more,
                together);
    }

    private Figure figure(String key, String what, DoubleSupplier run) {
        progress.accept(what + " ...");
        return Figure.of(key + "_per_s", what, Figure.Unit.PER_SECOND, median(run));
    }

    private Figure backlog(String key, String what, ConsumeOptions options) {
        return figure(key, what, () -> {
            try (Engine engine = Engine.open(target.fresh())) {
                // Once for nothing, as other figures have their warm-up.
                Backlog.perSecond(engine, pace.backlog(), options);
                return Backlog.perSecond(engine, pace.backlog(), options);
            }
        });
    }

    private Figure groups(String key, String what, int groups) {
        return figure(key, what, () -> {
            try (Engine engine = Engine.open(target.fresh())) {
                Trips trips = new Trips(engine.queue(), Trips.IN_FLIGHT, groups);
                return trips.measure(new Stopwatch(pace, trips::wake), engine::effort)
                        .perSecond();
            }
        });
    }

    private double sendLone() {
        try (Engine engine = Engine.open(target.fresh())) {
            MessageQueue queue = engine.queue();
            Turn send = () -> queue.send(Trips.BODY).created() ? 1 : 0;
            return new Stopwatch(pace).perSecond(List.of(send), List.of());
        }
    }

    private double median(DoubleSupplier run) {
        double[] figures =
                DoubleStream.generate(run).limit(pace.runs()).sorted().toArray();
        return figures[pace.runs() / 2];
    }

    /** The run that is the median; its other figures belong to it. */
    private <T> T medianOf(Supplier<T> run, Comparator<T> order) {
        return Stream.generate(run)
                .limit(pace.runs())
                .sorted(order)
                .skip(pace.runs() / 2)
                .findFirst()
                .orElseThrow();
    }

    private double send() {
        try (Engine engine = Engine.open(target.fresh())) {
            MessageQueue queue = engine.queue();
            Turn send = () -> queue.send(Trips.BODY).created() ? 1 : 0;
            return new Stopwatch(pace).perSecond(Collections.nCopies(Trips.SENDERS, send), List.of());
        }
    }

    private double sendBatch() {
        List<Outgoing> messages = Collections.nCopies(Trips.BATCH, Outgoing.of(Trips.BODY));
        try (Engine engine = Engine.open(target.fresh())) {
            MessageQueue queue = engine.queue();
            Turn send = () -> queue.sendAll(messages).size();
            return new Stopwatch(pace).perSecond(Collections.nCopies(BATCH_CALLERS, send), List.of());
        }
    }

    private Measured processed() {
        String store = target.fresh();
        Effort before = target.effort();
        Measured measured;
        try (Engine engine = Engine.open(store)) {
            Trips trips = new Trips(engine.queue(), Trips.IN_FLIGHT);
            measured = trips.measure(new Stopwatch(pace, trips::wake), engine::effort);
            measured = measured.and(trips.drain());
        }
        return target.settled(measured, before);
    }

    private Spread idle() {
        try (Engine engine = Engine.open(target.fresh())) {
            return IdleTimes.measure(engine.queue(), pace);
        }
    }

    private List<Together> together(List<Integer> processes) {
        List<Together> together = new ArrayList<>();
        for (int size : processes) {
            progress.accept("send, receive and ack, processes at once: " + size + " ...");
            together.add(new Together(size, median(() -> {
                try (Fleet fleet = Fleet.start(size, target.fresh(), pace.warmUp())) {
                    return fleet.perSecond(pace.span());
                }
            })));
        }
        return together;
    }
}
