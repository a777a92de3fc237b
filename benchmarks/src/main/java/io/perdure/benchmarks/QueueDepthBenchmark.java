package io.perdure.benchmarks;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** What a queue that is very deep answers, and how soon: its figures, and the next message of a group. */
final class QueueDepthBenchmark {
    private static final int LOOKS = 500;

    /** Long enough that no lease runs out while the benchmark goes on. */
    private static final Duration LEASE = Duration.ofHours(1);

    private final Environment environment = new SystemEnvironment();
    private final Target target;
    private final int messages;
    private final Consumer<String> progress;

    QueueDepthBenchmark(Target target, int messages, Consumer<String> progress) {
        this.target = target;
        this.messages = messages;
        this.progress = progress;
    }

    FiguresReport run() {
        List<Figure> figures = new ArrayList<>();
        figures.addAll(spread("ready", "figures, all ready", _ -> Outgoing.of(Trips.BODY), _ -> {}, Engine::figures));
        figures.addAll(spread(
                "delayed",
                "figures, all delayed, over 12 hours",
                number -> Backlog.delayed(number, messages),
                _ -> {},
                Engine::figures));
        figures.addAll(spread(
                "soon",
                "figures, all delayed, by 10 minutes",
                _ -> Outgoing.of(Trips.BODY).delay(Duration.ofMinutes(10)),
                _ -> {},
                Engine::figures));
        figures.addAll(spread(
                "leased", "figures, one in ten leased", _ -> Outgoing.of(Trips.BODY), this::lease, Engine::figures));
        figures.addAll(spread(
                "group",
                "receive and ack, one group",
                _ -> Outgoing.of(Trips.BODY).group("g"),
                _ -> {},
                QueueDepthBenchmark::trip));
        return new FiguresReport(
                Machine.describe(target),
                figures,
                String.format(Locale.ROOT, "Of a queue with %,d messages, over %d looks each.", messages, LOOKS));
    }

    /** Leases one message in ten. */
    private void lease(Engine engine) {
        for (int leased = 0; leased < messages / 10; leased += Trips.BATCH) {
            engine.queue().receive(Receiving.upTo(Trips.BATCH).visibility(LEASE));
        }
    }

    private static void trip(Engine engine) {
        engine.queue().ackAll(engine.queue().receive(Receiving.upTo(1)));
    }

    private List<Figure> spread(
            String key, String what, LongFunction<Outgoing> message, Consumer<Engine> then, Consumer<Engine> look) {
        progress.accept(what + " ...");
        try (Engine engine = Engine.open(target.fresh())) {
            Backlog.fill(engine, messages, message);
            then.accept(engine);
            target.rest();
            List<Long> nanos = new ArrayList<>();
            for (int number = 0; number < 2 * LOOKS; number++) {
                long from = environment.nanoTime();
                look.accept(engine);
                if (number >= LOOKS) {
                    nanos.add(environment.nanoTime() - from);
                }
            }
            Spread spread = Spread.of(nanos);
            return List.of(
                    Figure.of(key + "_p50_ms", what + ", p50", Figure.Unit.MILLIS, spread.p50())
                            .aimingAt(key.equals("group") ? null : Goals.QUEUE_FIGURES),
                    Figure.of(key + "_p99_ms", what + ", p99", Figure.Unit.MILLIS, spread.p99()));
        }
    }
}
