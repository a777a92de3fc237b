package io.perdure.server.worker;

import static io.perdure.server.worker.Waiting.PATIENCE;
import static io.perdure.server.worker.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.server.PerdureServer;
import io.perdure.testkit.crash.StepWitness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A process stands still in its steps until others have finished its runs, and goes on then: it changes nothing of them, and works on. */
final class PausedWorker {
    private static final int RUNS = 10;
    private static final String PAUSED = "paused";

    private final PerdureServer server;
    private final Path witness;

    PausedWorker(PerdureServer server, Path witness) {
        this.server = server;
        this.witness = witness;
    }

    void check() throws IOException, InterruptedException {
        try (WorkerProcess paused = WorkerProcess.start(PAUSED, server.url(), witness, 0)) {
            List<Run<Json>> runs = started();
            until(() -> told().size() == RUNS);
            paused.pause();
            WorkerProcess.letGoOn(witness);
            try (WorkerProcess _ = WorkerProcess.start("successor", server.url(), witness, 0)) {
                assertDone(runs);
            }
            List<List<Recorded>> histories = histories(runs);
            paused.goOn();
            assertDone(started());
            paused.leave();

            assertThat(histories(runs)).isEqualTo(histories);
            assertThat(told().stream()
                            .filter(sighting -> sighting.worker().equals(PAUSED) && isOf(runs, sighting.run()))
                            .map(sighting -> sighting.attempt().step().value()))
                    .as("what it did of the runs that were taken from it: what it had begun before")
                    .hasSize(RUNS)
                    .containsOnly(WorkerProcess.STEPS.getFirst());
            assertThat(told().stream().filter(sighting -> !isOf(runs, sighting.run())))
                    .as("what it did afterwards")
                    .hasSize(RUNS * WorkerProcess.STEPS.size())
                    .allMatch(sighting -> sighting.worker().equals(PAUSED));
        }
    }

    private List<Run<Json>> started() {
        List<Run<Json>> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(server.engine().start(WorkerProcess.WORKFLOW, Json.number(i), StartOptions.defaults()));
        }
        return runs;
    }

    private static void assertDone(List<Run<Json>> runs) {
        for (int i = 0; i < runs.size(); i++) {
            assertThat(runs.get(i).as(String.class).result(PATIENCE)).isEqualTo(WorkerProcess.result(i));
        }
    }

    private static List<List<Recorded>> histories(List<Run<Json>> runs) {
        return runs.stream().map(Run::history).toList();
    }

    private static boolean isOf(List<Run<Json>> runs, RunId run) {
        return runs.stream().map(Run::id).collect(Collectors.toSet()).contains(run);
    }

    private List<Sighting> told() {
        try {
            return StepWitness.heard(witness).stream().map(Sighting::of).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
