package io.perdure.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workload runs to its end and reports every figure that is promised; how large they are is not a test's business. */
@Tag("exhaustive")
final class WorkflowsBenchmarkTest {
    /** Held here, because a logger that nobody holds is forgotten, and its level with it. */
    private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");

    private static final Pace SHORT = new Pace(1, Duration.ofMillis(100), Duration.ofMillis(200));
    private static final Workload SMALL = new Workload(3, 100, 20, 50, 200, 100, Duration.ofSeconds(1), 50);

    @BeforeAll
    static void dropTheLogOfThePool() {
        POOL.setLevel(Level.OFF);
    }

    @Test
    void everyFigureIsReported(@TempDir Path parent) throws Exception {
        Map<String, Object> json;
        try (Target target = SqliteTarget.in(parent)) {
            json = new WorkflowsBenchmark(target, SHORT, SMALL, _ -> {}).run().json();
        }
        assertThat(json)
                .containsKeys(
                        "machine",
                        "runs_per_s",
                        "watched_runs_per_s",
                        "flow_runs_per_s",
                        "runs_per_s_128_callers",
                        "unbatched_runs_per_s",
                        "start_to_result_p50_ms",
                        "start_to_result_p99_ms",
                        "signal_p50_ms",
                        "signal_p99_ms",
                        "ms_per_step_50",
                        "ms_per_step_200",
                        "sleeper_late_p50_ms",
                        "sleeper_late_p99_ms",
                        "sleeper_burst_p99_ms",
                        "rows_per_run",
                        "flushes_per_run",
                        "concurrency",
                        "missed");
        // A start and three steps, the last of them with the run's end: without batches that many transactions.
        assertThat(number(json, "unbatched_flushes_per_run")).isGreaterThanOrEqualTo(3.5);
        assertThat(number(json, "flushes_per_run")).isLessThan(1);
        try (Stream<Path> left = Files.list(parent)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aStoreIsFilledFirst(@TempDir Path parent) {
        try (Target target = SqliteTarget.in(parent)) {
            FiguresReport report = new WorkflowsBenchmark(target, SHORT, SMALL, _ -> {}).run(1_000);

            assertThat(report.json()).containsEntry("finished_runs", 1_000L).containsKeys("runs_per_s");
        }
    }

    @Test
    void endedRunsGoMeanwhile(@TempDir Path parent) {
        long ended = 20_000;
        while (!goMeanwhile(parent, ended)) {
            ended *= 2;
        }
    }

    /** Returns false if all of them were gone before runs were measured beside them, as on a machine that was slow to measure. */
    private static boolean goMeanwhile(Path parent, long ended) {
        try (Target target = SqliteTarget.in(parent)) {
            FiguresReport report = new RetentionBenchmark(target, SHORT, SMALL, _ -> {}).run(ended);

            assertThat(report.json()).containsEntry("ended_runs", ended).containsKeys("runs_per_s_sweeping", "share");
            assertThat(number(report.json(), "removed_per_s")).isPositive();
            return true;
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageEndingWith("fill in more.");
            return false;
        }
    }

    @Test
    void postgresIsMeasuredToo() {
        try (PrivatePostgres server = PrivatePostgres.start(PostgresBinaries.bundled(), Map.of());
                Target target = PostgresTarget.at(ServerUrl.parse(server.url()))) {
            Map<String, Object> json =
                    new WorkflowsBenchmark(target, SHORT, SMALL, _ -> {}).run().json();

            assertThat(number(json, "rows_per_run")).isGreaterThan(7);
            assertThat(number(json, "sleeper_late_p50_ms")).isGreaterThan(-1000);
        }
    }

    private static double number(Map<String, Object> json, String key) {
        return ((Number) Objects.requireNonNull(json.get(key), key)).doubleValue();
    }
}
