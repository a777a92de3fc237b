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

    private final Environment environment = new SystemEnvironment();
    private final Duration warmUp;
    private final Duration span;
    private final LongAdder done = new LongAdder();
    private final Runnable atEnd;
    private volatile boolean over;

    Stopwatch(Duration warmUp, Duration span) {
        this(warmUp, span, () -> {});
    }

    /** @param atEnd wakes callers that wait for something, once they are to stop */
    Stopwatch(Duration warmUp, Duration span, Runnable atEnd) {
        this.warmUp = warmUp;
        this.span = span;
        this.atEnd = atEnd;
    }

    /** Has each of the callers take its turn again and again; answers what they got done in a second of the span. */
    double perSecond(List<Turn> counted, List<Turn> others) {
        return measure(counted, others, () -> new Effort(0, 0)).perSecond();
    }

    /** What got done in the span, and what it took. */
    record Measured(double perSecond, long done, Effort effort) {
        double flushesEach() {
            return (double) effort.flushes() / done;
        }

        double rowsEach() {
            return (double) effort.rows() / done;
        }
    }

    /** The same, with what the store did meanwhile. */
    Measured measure(List<Turn> counted, List<Turn> others, Supplier<Effort> effort) {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            counted.forEach(turn -> running.add(callers.submit(again(turn, true))));
            others.forEach(turn -> running.add(callers.submit(again(turn, false))));
            Measured measured;
            try {
                environment.sleep(warmUp);
                long before = done.sum();
                Effort effortBefore = effort.get();
                long from = environment.nanoTime();
                environment.sleep(span);
                long grown = done.sum() - before;
                double seconds = (environment.nanoTime() - from) / 1e9;
                measured = new Measured(grown / seconds, grown, effort.get().since(effortBefore));
            } finally {
                over = true;
                atEnd.run();
            }
            for (Future<?> caller : running) {
                caller.get();
            }
            return measured;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted.", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A caller failed: " + e.getCause(), e.getCause());
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
