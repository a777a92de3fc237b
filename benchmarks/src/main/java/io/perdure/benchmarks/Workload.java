package io.perdure.benchmarks;

import java.time.Duration;

/**
 * How much {@code perdure bench workflows} does where the time alone does not say it.
 *
 * @param steps of a run, where its steps are not what is measured
 * @param concurrency how many runs are worked on at once, where they are all started at once
 * @param idleRuns that are started when nothing else happens, at least
 * @param shortRun steps of a run whose steps are measured
 * @param longRun steps of a much longer one
 * @param sleepers that come due one after the other
 * @param sleepersOver how long that goes on
 * @param burst sleepers that come due at one instant
 */
record Workload(
        int steps,
        int concurrency,
        int idleRuns,
        int shortRun,
        int longRun,
        int sleepers,
        Duration sleepersOver,
        int burst) {
    /** What the figures of {@code docs/performance.md} are measured with. */
    static Workload of(int steps, int concurrency) {
        return new Workload(steps, concurrency, 1_000, 1_000, 4_000, 10_000, Duration.ofSeconds(10), 2_000);
    }
}
