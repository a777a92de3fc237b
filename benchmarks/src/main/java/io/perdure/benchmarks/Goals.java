package io.perdure.benchmarks;

import io.perdure.benchmarks.Figure.Goal;
import org.jspecify.annotations.Nullable;

/**
 * What was set out to be reached on 2 cores, with runs of three steps. A figure of other runs has no goal.
 *
 * @param atOnce runs a second, all started at once
 * @param callers runs a second by callers that wait for each
 * @param startToResult half of the times from start to result, in milliseconds
 * @param signalToFinish half of the times from a signal to the result of the run that waits for it, in milliseconds
 */
record Goals(
        @Nullable Goal atOnce,
        @Nullable Goal callers,
        @Nullable Goal startToResult,
        @Nullable Goal signalToFinish) {
    private static final int STEPS = 3;

    /** Milliseconds for each step of one run. */
    static final Goal STEP = Goal.atMost(0.8);

    /** Times as long for each step of the longer run: no longer, but for what chance does to two figures. */
    static final Goal GROWTH = Goal.atMost(1.1);

    /** The share of runs that are still done while ended ones are removed. */
    static final Goal SWEEPING = Goal.atLeast(0.8);

    /** Milliseconds by which 99 of 100 sleepers may be late. */
    static final Goal SLEEPERS = Goal.atMost(50);

    /** Milliseconds in which a queue that is a million messages deep says how it stands. */
    static final Goal QUEUE_FIGURES = Goal.atMost(5);

    static Goals of(Target target, int steps) {
        boolean compares = steps == STEPS;
        return switch (target) {
            case PostgresTarget _ ->
                new Goals(
                        compares ? Goal.atLeast(10_000) : null,
                        compares ? Goal.atLeast(4_000) : null,
                        Goal.atMost(2),
                        Goal.atMost(3));
            case SqliteTarget _ ->
                new Goals(compares ? Goal.atLeast(20_000) : null, compares ? Goal.atLeast(8_000) : null, null, null);
        };
    }
}
