package io.perdure.benchmarks;

import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How long runs take one at a time, when nothing else happens. */
final class LoneRuns {
    /** Long enough for what the run before left to be over. */
    private static final Duration PAUSE = Duration.ofMillis(3);

    /** Steps of a run that only warms up. */
    private static final int FEW = 100;

    private final WorkflowEngine engine;
    private final Environment environment;

    LoneRuns(WorkflowEngine engine) {
        this.engine = engine;
        this.environment = engine.environment();
    }

    /** Times from before the start of a run of one step to its result, for a span and so many runs at least. */
    Spread startToResult(Pace pace, int atLeast) {
        List<Long> times = new ArrayList<>();
        long measuredFrom = environment.nanoTime() + pace.warmUp().toNanos();
        long end = measuredFrom + pace.span().toNanos();
        try {
            for (long begun = environment.nanoTime();
                    begun < end || times.size() < atLeast;
                    begun = environment.nanoTime()) {
                Steps.startAndWait(engine, 1);
                if (begun >= measuredFrom) {
                    times.add(environment.nanoTime() - begun);
                }
                environment.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted.", e);
        }
        return Spread.of(times);
    }

    /** Milliseconds for a step of a shorter run and of a longer one. */
    record StepTimes(double shorter, double longer) {
        double growth() {
            return longer / shorter;
        }
    }

    /** Runs the two in turns, so that both see the same weather, until each had its span. */
    StepTimes steps(Pace pace, int shorter, int longer) {
        long warm = environment.nanoTime() + pace.warmUp().toNanos();
        while (environment.nanoTime() < warm) {
            Steps.startAndWait(engine, FEW);
        }
        long span = pace.span().toNanos();
        Tally shorts = new Tally(shorter);
        Tally longs = new Tally(longer);
        while (shorts.nanos < span || longs.nanos < span) {
            Tally next = shorts.nanos <= longs.nanos ? shorts : longs;
            long begun = environment.nanoTime();
            Steps.startAndWait(engine, next.steps);
            next.nanos += environment.nanoTime() - begun;
            next.runs++;
        }
        return new StepTimes(shorts.millisEach(), longs.millisEach());
    }

    /** What runs of one length took. */
    private static final class Tally {
        private final int steps;
        private long nanos;
        private long runs;

        Tally(int steps) {
            this.steps = steps;
        }

        double millisEach() {
            return nanos / 1e6 / (runs * steps);
        }
    }
}
