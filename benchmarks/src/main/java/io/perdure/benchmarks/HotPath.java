package io.perdure.benchmarks;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What is worth a profile: the two kinds of work that everything else is made of. */
enum HotPath {
    /** Runs of three steps, all started at once. */
    RUNS("runs of 3 steps, all started at once") {
        @Override
        StackTree profile(String store, Pace pace) throws InterruptedException {
            try (WorkflowEngine engine = WorkflowEngine.open(store, CONCURRENCY, Steps.WORKFLOW)) {
                Flood flood = new Flood(engine, STEPS);
                long runs = Math.round(flood.measure(warmUp(pace)).perSecond() * seconds(pace));
                return Profile.of(() -> flood.pour(runs));
            }
        }
    },

    /** Messages that are sent one by one, received and acknowledged. */
    MESSAGES("messages sent, received and acknowledged") {
        @Override
        StackTree profile(String store, Pace pace) throws InterruptedException {
            try (Engine engine = Engine.open(store)) {
                Trips trips = new Trips(engine.queue(), Trips.IN_FLIGHT);
                StackTree[] seen = new StackTree[1];
                Stopwatch watch = new Stopwatch(
                        Stopwatch.lasting(pace.warmUp()),
                        () -> seen[0] = Profile.of(Stopwatch.lasting(pace.span())),
                        trips::wake);
                trips.measure(watch, engine::effort);
                return seen[0];
            }
        }
    };

    private static final int STEPS = 3;
    private static final int CONCURRENCY = 2_500;

    private final String text;

    HotPath(String text) {
        this.text = text;
    }

    /** The one that goes by this name in a command. */
    static Optional<HotPath> named(String name) {
        return Arrays.stream(values())
                .filter(path -> path.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst();
    }

    /** What it is, in a title. */
    String text() {
        return text;
    }

    /** Where the time goes while it is done in a store that nobody has used, once it has warmed up. */
    abstract StackTree profile(String store, Pace pace) throws InterruptedException;

    private static Pace warmUp(Pace pace) {
        return new Pace(1, pace.warmUp(), Duration.ofSeconds(1));
    }

    private static double seconds(Pace pace) {
        return pace.span().toNanos() / 1e9;
    }
}
