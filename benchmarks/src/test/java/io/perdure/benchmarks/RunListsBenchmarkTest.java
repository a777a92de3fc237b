package io.perdure.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.run.RunFilter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store that lists are measured in has runs in every status, and every list is measured. */
@Tag("exhaustive")
final class RunListsBenchmarkTest {
    @Test
    void everyListIsReported(@TempDir Path parent) {
        Map<String, Object> json;
        try (Target target = SqliteTarget.in(parent)) {
            json = new RunListsBenchmark(target, 300, _ -> {}).run().json();
        }

        assertThat(json)
                .containsKeys(
                        "all_p50_ms",
                        "running_workflow_p50_ms",
                        "parked_p50_ms",
                        "completed_workflow_p50_ms",
                        "tag_failed_p50_ms",
                        "input_p50_ms",
                        "counts_p50_ms");
    }

    @Test
    void runsAreInEveryStatus(@TempDir Path parent) {
        try (Target target = SqliteTarget.in(parent)) {
            String store = target.fresh();
            ManyRuns many = ManyRuns.of(1_000);
            many.fill(store);

            try (Perdure perdure = Perdure.open(store)) {
                assertThat(count(perdure, RunStatus.COMPLETED)).isEqualTo(988).isEqualTo(many.completed());
                assertThat(count(perdure, RunStatus.FAILED)).isEqualTo(5).isEqualTo(many.failed());
                assertThat(count(perdure, RunStatus.PARKED)).isEqualTo(1).isEqualTo(many.parked());
                assertThat(count(perdure, RunStatus.CANCELLED)).isEqualTo(1).isEqualTo(many.cancelled());
                assertThat(count(perdure, RunStatus.RUNNING)).isEqualTo(5).isEqualTo(many.running());
                assertThat(perdure.count(RunFilter.all().tag(ManyRuns.REGION, ManyRuns.MANY)))
                        .isEqualTo(98);
            }
        }
    }

    private static long count(Perdure perdure, RunStatus status) {
        return perdure.count(RunFilter.all().status(status));
    }
}
