package io.perdure.benchmarks;

import io.perdure.core.store.Effort;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Counts what many virtual threads get done while a span of time passes. They start before the span and go on past it, so
 * that the span holds neither start nor end.
 */
final class Stopwatch {
    /** What a caller does again and again; answers how much it got done. */
    interface Turn {
        int run() throws Exception;
    }

    /** Waits for what begins or ends the span. */
    interface Wait {
        void run() throws InterruptedException;
    }

    private final Environment environment = new SystemEnvironment();
    private final Wait warmUp;
    private final Wait span;
    private final LongAdder done = new LongAdder();
    private final Runnable atEnd;
    private volatile boolean over;

    Stopwatch(Pace pace) {
        this(pace, () -> {});
    }

    /** @param atEnd wakes callers that wait for something, once they are to stop */
    Stopwatch(Pace pace, Runnable atEnd) {
        this(lasting(pace.warmUp()), lasting(pace.span()), atEnd);
    }

    /** For who knows better than a clock when the span begins and ends. */
    Stopwatch(Wait warmUp, Wait span, Runnable atEnd) {
        this.warmUp = warmUp;
        this.span = span;
        this.atEnd = atEnd;
    }

    static Wait lasting(Duration time) {
        return () -> new SystemEnvironment().sleep(time);
    }

    /** Has each of the callers take its turn again and again; answers what they got done in a second of the span. */
    double perSecond(List<Turn> counted, List<Turn> others) {
        return measure(counted, others, () -> new Effort(0, 0)).perSecond();
    }

    /**
     * What got done in the span, and what it took.
     *
     * @param effort that belongs to {@code done}
     * @param altogether what got done from the start to the very end
     */
    record Measured(double perSecond, long done, Effort effort, long altogether) {
        double flushesEach() {
            return (double) effort.flushes() / done;
        }

        double rowsEach() {
            return (double) effort.rows() / done;
        }

        /** The same with what got done after the watch was stopped. */
        Measured and(long rest) {
            return new Measured(perSecond, done, effort, altogether + rest);
        }

        /** The same with the effort of everything, in and out of the span. */
        Measured over(Effort all) {
            return new Measured(perSecond, altogether, all, altogether);
        }
    }

    /** The same, with what the store did meanwhile. */
    Measured measure(List<Turn> counted, List<Turn> others, Supplier<Effort> effort) {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            counted.forEach(turn -> running.add(callers.submit(again(turn, true))));
            others.forEach(turn -> running.add(callers.submit(again(turn, false))));
            double perSecond;
            long grown;
            Effort taken;
            try {
                warmUp.run();
                long before = done.sum();
                Effort effortBefore = effort.get();
                long from = environment.nanoTime();
                span.run();
                grown = done.sum() - before;
                perSecond = grown / ((environment.nanoTime() - from) / 1e9);
                taken = effort.get().since(effortBefore);
            } finally {
                over = true;
                atEnd.run();
            }
            join(running);
            return new Measured(perSecond, grown, taken, done.sum());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static void join(List<Future<?>> running) {
        try {
            for (Future<?> caller : running) {
                caller.get();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A caller failed: " + e.getCause(), e.getCause());
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("The benchmark was interrupted.", e);
    }

    /** Has each of the callers take its turn until there is nothing left for it; answers what they got done. */
    static long exhaust(List<Turn> turns) {
        LongAdder done = new LongAdder();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (Turn turn : turns) {
                running.add(callers.submit(() -> {
                    for (int more = turn.run(); more > 0; more = turn.run()) {
                        done.add(more);
                    }
                    return null;
                }));
            }
            join(running);
            return done.sum();
        }
    }

    private Callable<Void> again(Turn turn, boolean counts) {
        return () -> {
            while (!over) {
                int more = turn.run();
                if (counts) {
                    done.add(more);
                }
            }
            return null;
        };
    }
}
