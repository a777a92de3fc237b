package io.perdure.server.worker;

import static io.perdure.server.worker.Waiting.PATIENCE;
import static io.perdure.server.worker.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.LiveWorker;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.server.PerdureServer;
import io.perdure.testkit.crash.StepWitness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Two processes work on the runs of a server; one is killed in the middle, and another one takes its place. */
final class KilledWorkers {
    private static final int RUNS = 300;
    private static final int STEPS_BEFORE_THE_KILL = 100;

    /** Of them a third: so that enough is left for the other one, however slow that is. */
    private static final int STEPS_OF_THE_SURVIVOR = RUNS * WorkerProcess.STEPS.size() / 3;

    /** What a lease may last after the last that was heard of its worker, and what is promised for noticing and going on. */
    private static final Duration TAKEN_OVER_WITHIN =
            Limits.defaults().runs().lease().plusSeconds(30);

    private final PerdureServer server;
    private final Path witness;

    KilledWorkers(PerdureServer server, Path witness) {
        this.server = server;
        this.witness = witness;
    }

    /**
     * What was so when one had been killed.
     *
     * @param at the time before it was
     * @param completed the keys of the steps whose completion was recorded
     * @param ended the runs that had ended
     * @param told how many lines the witness was told before and until then
     */
    private record Kill(String victim, Instant at, Set<String> completed, Set<RunId> ended, int told) {}

    void check() throws IOException, InterruptedException, ExecutionException {
        try (WorkerProcess victim = WorkerProcess.start("victim", server.url(), witness, STEPS_BEFORE_THE_KILL);
                WorkerProcess survivor =
                        WorkerProcess.start("survivor", server.url(), witness, STEPS_OF_THE_SURVIVOR)) {
            until(() -> workers().size() == 2);
            List<Run<Json>> runs = started();
            // The one step more is held.
            until(() -> told(victim) > STEPS_BEFORE_THE_KILL && told(survivor) > 0);
            Kill kill = kill(victim, runs);
            WorkerProcess.letGoOn(witness);
            Set<ProcessId> known = workers();
            try (WorkerProcess successor = WorkerProcess.start("successor", server.url(), witness, 0)) {
                until(() -> !known.containsAll(workers()));
                for (int input = 0; input < RUNS; input++) {
                    assertThat(runs.get(input).as(String.class).result(PATIENCE))
                            .isEqualTo(WorkerProcess.result(input));
                }
                assertThat(Stream.of(survivor, successor)).allMatch(WorkerProcess::isAlive);
            }
            judge(kill, runs);
        }
    }

    private Set<ProcessId> workers() {
        return server.engine().operations().workers().stream()
                .map(LiveWorker::process)
                .collect(Collectors.toSet());
    }

    /** At once, so that there is more to do than the workers have hands. */
    private List<Run<Json>> started() throws InterruptedException, ExecutionException {
        Perdure engine = server.engine();
        List<Future<Run<Json>>> starts = new ArrayList<>();
        try (ExecutorService starters = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < RUNS; i++) {
                Json input = Json.number(i);
                starts.add(starters.submit(() -> engine.start(WorkerProcess.WORKFLOW, input, StartOptions.defaults())));
            }
        }
        List<Run<Json>> runs = new ArrayList<>();
        for (Future<Run<Json>> start : starts) {
            runs.add(start.get());
        }
        return runs;
    }

    private long told(WorkerProcess worker) {
        try {
            return StepWitness.heard(witness).stream()
                    .filter(line -> line.startsWith(worker.name() + " "))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Kill kill(WorkerProcess victim, List<Run<Json>> runs) throws IOException {
        Instant at = server.engine().now();
        victim.close();
        Set<String> completed = new HashSet<>();
        Set<RunId> ended = new HashSet<>();
        for (Run<Json> run : runs) {
            completed(run).forEach(step -> completed.add(run.id() + "/" + step));
            if (run.status().isTerminal()) {
                ended.add(run.id());
            }
        }
        // Read last: what is told from here on is told after all of the above was recorded.
        return new Kill(
                victim.name(), at, completed, ended, StepWitness.heard(witness).size());
    }

    private static List<String> completed(Run<Json> run) {
        List<String> steps = new ArrayList<>();
        run.history().forEach(recorded -> {
            if (recorded.event() instanceof Event.StepCompleted completed) {
                steps.add(completed.step().value());
            }
        });
        return steps;
    }

    private void judge(Kill kill, List<Run<Json>> runs) throws IOException {
        List<Sighting> seen =
                StepWitness.heard(witness).stream().map(Sighting::of).toList();
        List<Sighting> before = seen.subList(0, kill.told());
        List<Sighting> after = seen.subList(kill.told(), seen.size());
        assertThat(runs)
                .allSatisfy(
                        run -> assertThat(completed(run)).as("recorded once").isEqualTo(WorkerProcess.STEPS));
        assertThat(seen.stream().map(Sighting::key).distinct()).hasSize(RUNS * WorkerProcess.STEPS.size());
        assertThat(kill.completed()).hasSizeGreaterThan(STEPS_BEFORE_THE_KILL / 2);
        assertThat(after.stream().map(Sighting::key))
                .as("done again, though its completion was recorded before the kill")
                .isNotEmpty()
                .doesNotContainAnyElementsOf(kill.completed());
        assertThat(repeated(seen))
                .as("done twice: only what died with its worker")
                .allSatisfy((_, first) -> assertThat(first.worker()).isEqualTo(kill.victim()));
        assertTakenOver(kill, before, runs);
    }

    /** The steps that were done more than once, each with who did it first. */
    private static Map<String, Sighting> repeated(List<Sighting> seen) {
        Map<String, Sighting> first = new HashMap<>();
        Map<String, Sighting> repeated = new HashMap<>();
        for (Sighting sighting : seen) {
            Sighting earlier = first.putIfAbsent(sighting.key(), sighting);
            if (earlier != null) {
                repeated.put(sighting.key(), earlier);
            }
        }
        return repeated;
    }

    private static void assertTakenOver(Kill kill, List<Sighting> before, List<Run<Json>> runs) {
        Set<RunId> held = new HashSet<>();
        before.stream()
                .filter(sighting -> sighting.worker().equals(kill.victim()))
                .map(Sighting::run)
                .filter(run -> !kill.ended().contains(run))
                .forEach(held::add);
        assertThat(held).as("in the hands of the one that was killed").isNotEmpty();
        assertThat(runs.stream().filter(run -> held.contains(run.id())))
                .allSatisfy(run -> assertThat(run.info().completedAt())
                        .isBetween(kill.at(), kill.at().plus(TAKEN_OVER_WITHIN)));
    }
}
