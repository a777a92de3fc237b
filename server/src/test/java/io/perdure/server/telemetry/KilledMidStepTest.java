package io.perdure.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.server.worker.Waiting;
import io.perdure.testkit.Exhaustive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a collector has of a run whose process was killed in the middle of a step, once another one has finished it. */
@Exhaustive
class KilledMidStepTest {
    @TempDir
    private Path folder;

    private TraceContext said(Path file) throws IOException {
        return TraceContext.parse(Files.readString(file)).orElseThrow();
    }

    private static List<Told> steps(Collector collector, String name) {
        return collector.told("workflow.step").stream()
                .filter(span -> name.equals(span.attributes().get("step.name")))
                .toList();
    }

    @Test
    @Timeout(120)
    void theRunIsOneTraceAndNoStepThatWasDoneIsInItTwice() throws IOException, InterruptedException {
        String store = "jdbc:sqlite:" + folder.resolve("store.db");
        Path cutOff = folder.resolve("cut-off");
        Path done = folder.resolve("done");
        try (Collector collector = new Collector()) {
            try (TracedProcess _ = TracedProcess.staying(store, collector.url(), cutOff)) {
                Waiting.until(() ->
                        Files.exists(cutOff) && !steps(collector, "reserve").isEmpty());
            }
            assertThat(collector.told("workflow.run")).isEmpty();
            assertThat(steps(collector, "charge")).isEmpty();
            try (TracedProcess second = TracedProcess.goingOn(store, collector.url(), done)) {
                Waiting.until(() -> !collector.told("workflow.run").isEmpty());
                second.leave();
            }

            assertThat(collector.told("workflow.run")).hasSize(1);
            Told run = collector.told("workflow.run").getFirst();
            TraceContext place = TraceContext.ofRun(RunId.parse(run.attributes().getOrDefault("run_id", "")), Map.of());
            assertThat(run.traceId()).isEqualTo(place.traceId());
            assertThat(run.spanId()).isEqualTo(place.spanId());
            assertThat(run.parentId()).isEmpty();
            assertThat(run.attributes()).containsEntry("status", "completed");
            assertThat(collector.told("workflow.step")).hasSize(2).allSatisfy(step -> {
                assertThat(step.traceId()).isEqualTo(run.traceId());
                assertThat(step.parentId()).isEqualTo(run.spanId());
                assertThat(run.isOver(step)).isTrue();
                assertThat(step.isError()).isFalse();
            });
            assertThat(steps(collector, "reserve")).hasSize(1);
            // The attempt that was cut off stood in the same trace; the one that has a span is the other one.
            assertThat(said(cutOff).traceId()).isEqualTo(run.traceId());
            assertThat(steps(collector, "charge"))
                    .singleElement()
                    .satisfies(step -> assertThat(step.spanId())
                            .isEqualTo(said(done).spanId())
                            .isNotEqualTo(said(cutOff).spanId()));
        }
    }
}
