package io.perdure.benchmarks;

import io.perdure.benchmarks.Figure.Goal;
import io.perdure.benchmarks.Figure.Unit;
import io.perdure.benchmarks.Stopwatch.Turn;
import io.perdure.client.ConnectOptions;
import io.perdure.client.PerdureClient;
import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.core.store.Effort;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunCount;
import io.perdure.sdk.run.StartOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The same work by an engine in this process and by one behind a server, which is a process of its own on the same machine: what HTTP
 * costs. In turns, each on a fresh store.
 */
final class HttpBenchmark {
    /** Callers, each with one call under way. */
    private static final int CALLERS = 200;

    private static final int FILLERS = 2_000;
    private static final int CONCURRENCY = 2_500;
    private static final Duration LOOK = Duration.ofMillis(10);
    private static final Goal WORKERS = Goal.atLeast(1.0 / 3);

    private final Target target;
    private final Pace pace;
    private final long runs;
    private final int steps;
    private final Consumer<String> progress;
    private final Environment environment = new SystemEnvironment();

    /**
     * Measures stores of this kind.
     *
     * @param runs how many the workers find when they begin
     */
    HttpBenchmark(Target target, Pace pace, long runs, int steps, Consumer<String> progress) {
        this.target = target;
        this.pace = pace;
        this.runs = runs;
        this.steps = steps;
        this.progress = progress;
    }

    /** Where the engine is. */
    private enum Place {
        HERE,
        THERE
    }

    /** The medians of both. */
    private record Both(double here, double there) {
        double share() {
            return there / here;
        }
    }

    FiguresReport run() {
        List<Figure> figures = new ArrayList<>();
        add(figures, "worked", "runs a second that workers find and end", both("workers", this::work), WORKERS);
        add(figures, "starts", "starts a second", both("starts", this::starts), null);
        add(figures, "messages", "messages a second, sent one by one", both("messages", this::messages), null);
        Both workers = new Both(figures.get(0).value(), figures.get(1).value());
        return new FiguresReport(
                Machine.describe(target),
                figures,
                String.format(
                        Locale.ROOT,
                        "Workers elsewhere do %.0f %% of what they do beside the store.",
                        workers.share() * 100));
    }

    private static void add(List<Figure> figures, String key, String what, Both both, @Nullable Goal goal) {
        figures.add(Figure.of(key + "_per_s", what, Unit.PER_SECOND, both.here()));
        figures.add(Figure.of(key + "_per_s_http", "the same over HTTP", Unit.PER_SECOND, both.there()));
        figures.add(Figure.of(key + "_share", "the second beside the first", Unit.NUMBER, both.share())
                .aimingAt(goal));
    }

    private Both both(String what, ToDoubleBiFunction<String, Place> measure) {
        List<Double> here = new ArrayList<>();
        List<Double> there = new ArrayList<>();
        for (int round = 0; round < pace.runs(); round++) {
            progress.accept(what + ", in this process ...");
            here.add(measure.applyAsDouble(target.fresh(), Place.HERE));
            progress.accept(what + ", over HTTP ...");
            there.add(measure.applyAsDouble(target.fresh(), Place.THERE));
        }
        return new Both(median(here), median(there));
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    /** Runs that lie in the store when a worker begins: how many it ends in a second. A tenth of them warms it up. */
    private double work(String store, Place place) {
        long warm = runs / 10;
        try (Perdure filler = Perdure.open(store)) {
            fill(filler, runs + warm);
        }
        return with(store, place, engine -> {
            engine.register(Steps.WORKFLOW).start();
            awaitCompleted(engine, warm);
            long before = completed(engine);
            long from = environment.nanoTime();
            awaitCompleted(engine, runs + warm);
            return (runs + warm - before) / ((environment.nanoTime() - from) / 1e9);
        });
    }

    private void fill(Engine engine, long count) {
        AtomicLong left = new AtomicLong(count);
        StartOptions options = StartOptions.defaults().version(Steps.WORKFLOW.version());
        Stopwatch.exhaust(Collections.nCopies(FILLERS, () -> {
            if (left.getAndDecrement() <= 0) {
                return 0;
            }
            engine.start(Steps.WORKFLOW.name().value(), Json.number(steps), options);
            return 1;
        }));
    }

    /** Starts of runs that nobody works on. */
    private double starts(String store, Place place) {
        return with(
                store,
                place,
                engine -> new Stopwatch(pace)
                        .perSecond(
                                Collections.nCopies(CALLERS, (Turn) () -> {
                                    engine.start("nobodys", Json.number(steps), StartOptions.defaults());
                                    return 1;
                                }),
                                List.of()));
    }

    /** Messages that are sent one by one, received by the hundred, and acknowledged. */
    private double messages(String store, Place place) {
        return with(store, place, engine -> {
            Trips trips = new Trips(engine.createQueue("work"), Trips.IN_FLIGHT);
            return trips.measure(new Stopwatch(pace, trips::wake), () -> new Effort(0, 0))
                    .perSecond();
        });
    }

    private static double with(String store, Place place, ToDoubleFunction<Engine> work) {
        return switch (place) {
            case HERE -> {
                try (Engine engine = Perdure.open(store, OpenOptions.defaults().concurrency(CONCURRENCY))) {
                    yield work.applyAsDouble(engine);
                }
            }
            case THERE -> {
                try (ServedStore server = ServedStore.serve(store);
                        Engine engine = PerdureClient.connect(
                                server.url(), ConnectOptions.defaults().concurrency(CONCURRENCY))) {
                    yield work.applyAsDouble(engine);
                }
            }
        };
    }

    private void awaitCompleted(Engine engine, long count) {
        try {
            while (completed(engine) < count) {
                environment.sleep(LOOK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted.", e);
        }
    }

    private static long completed(Engine engine) {
        return engine.runCounts().stream()
                .filter(count -> count.status() == RunStatus.COMPLETED)
                .mapToLong(RunCount::count)
                .sum();
    }
}
