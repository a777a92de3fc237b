package io.perdure.benchmarks;

import io.perdure.benchmarks.Stopwatch.Measured;
import io.perdure.core.store.Effort;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.WorkflowName;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs that are all started at once: many callers start one after the other, none waits for a result, and the process that
 * starts them works on them. The time ends when the store has all of them down as completed.
 */
final class Flood {
    /** Callers, each with one start under way. */
    private static final int STARTERS = 2_000;

    /** What the count is more than the pace of the warm-up calls for, so that it lasts as long as it should. */
    private static final double MARGIN = 1.2;

    private final WorkflowEngine engine;
    private final Environment environment;
    private final WorkflowName workflow;
    private final Runnable start;
    private long started;

    /** Of runs of so many steps, written as code. */
    Flood(WorkflowEngine engine, int steps) {
        this(engine, Steps.WORKFLOW.name(), () -> engine.start(Steps.WORKFLOW, steps));
    }

    /**
     * Of runs of any workflow that the engine serves.
     *
     * @param start starts one; returns when it is durable
     */
    Flood(WorkflowEngine engine, WorkflowName workflow, Runnable start) {
        this.engine = engine;
        this.environment = engine.environment();
        this.workflow = workflow;
        this.start = start;
    }

    /** Floods the engine for as long as the warm-up lasts, then with as many runs as take it as long as the span. */
    Measured measure(Pace pace) {
        long end = environment.nanoTime() + pace.warmUp().toNanos();
        double perSecond = pour(STARTERS);
        while (environment.nanoTime() < end) {
            perSecond = pour(Math.max(STARTERS, Math.round(perSecond)));
        }
        double seconds = pace.span().toNanos() / 1e9;
        while (true) {
            long runs = Math.max(1, Math.round(perSecond * seconds * MARGIN));
            Effort before = engine.effort();
            perSecond = pour(runs);
            if (runs / perSecond >= seconds) {
                return new Measured(perSecond, runs, engine.effort().since(before), started);
            }
        }
    }

    /** Starts so many runs and waits for their end; answers how many that were in a second. */
    double pour(long runs) {
        AtomicLong left = new AtomicLong(runs);
        long completed = engine.completed(workflow);
        long from = environment.nanoTime();
        int starters = (int) Math.min(STARTERS, runs);
        Stopwatch.exhaust(Collections.nCopies(starters, () -> {
            if (left.getAndDecrement() <= 0) {
                return 0;
            }
            start.run();
            return 1;
        }));
        started += runs;
        engine.awaitCompleted(workflow, completed + runs);
        return runs / ((environment.nanoTime() - from) / 1e9);
    }
}
