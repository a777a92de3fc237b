package io.perdure.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workload runs to its end and reports every figure that is promised. How large they are is not a test's business: on a
 * slow machine this short a run may get nothing done. */
final class QueueBenchmarkTest {
    @Test
    void everyFigureIsReported(@TempDir Path parent) throws Exception {
        QueueReport report;
        try (WorkFolder folder = WorkFolder.in(parent)) {
            report = new QueueBenchmark(folder, Duration.ofMillis(100), Duration.ofMillis(100), _ -> {}).run();
        }
        assertThat(report.json())
                .containsKeys(
                        "send_per_s",
                        "send_batch_per_s",
                        "processed_per_s",
                        "unbatched_processed_per_s",
                        "idle_p50_ms",
                        "idle_p99_ms",
                        "rows_per_message",
                        "flushes_per_message");
        try (Stream<Path> left = Files.list(parent)) {
            assertThat(left).isEmpty();
        }
    }
}
