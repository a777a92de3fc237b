package io.perdure.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Store;
import io.perdure.core.workflow.Run;
import io.perdure.core.workflow.StartOptions;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.testkit.crash.MortalStore.Death;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A run whose process dies at each of the calls that it makes of its store, and which another process brings to its end: what was
 * recorded is not done again, and what was not is.
 */
@Timeout(120)
public abstract class CrashContract extends CrashFixture {
    private static final int MOST_CALLS = 30;
    private static final int MOST_EVENTS = 100;

    /** Killed in this process: the engine is cut off from its store for good, and never closed in order. */
    @ParameterizedTest
    @EnumSource
    void aRunSurvivesADeathAtEveryCall(Moment moment) throws IOException {
        int number = 1;
        while (diesAndGoesOn(new Death(moment, number))) {
            number++;
            assertThat(number).isLessThan(MOST_CALLS);
        }
        int atLeast = switch (moment) {
            case BEFORE_COMMIT, AFTER_COMMIT -> Journey.LINES.size();
            case BEFORE_CLAIM, AFTER_CLAIM, BEFORE_SNAPSHOTS, AFTER_SNAPSHOTS -> 2;
        };
        assertThat(number - 1).as("deaths").isGreaterThanOrEqualTo(atLeast);
    }

    /** Killed for real, without warning: nothing is closed, and nothing is written on the way out. */
    @ParameterizedTest
    @CsvSource({"BEFORE_COMMIT, 2", "AFTER_COMMIT, 1", "AFTER_COMMIT, 3", "AFTER_COMMIT, 4", "AFTER_CLAIM, 2"})
    void aRunSurvivesTheDeathOfItsProcess(Moment moment, int number) throws IOException, InterruptedException {
        Path witness = folder.resolve("witness");
        int code = MortalProcess.run(url(), witness, "key", new Death(moment, number));
        assertThat(code).isEqualTo(MortalProcess.DIED);
        endLeases();
        goesOn(witness, "key");
    }

    /** Answers whether the moment came at all. */
    private boolean diesAndGoesOn(Death death) throws IOException {
        String key = death.moment() + "-" + death.number();
        Path file = folder.resolve("witness-" + key);
        boolean died;
        try (StepWitness witness = StepWitness.at(file);
                MortalStore store = open(death, witness::silence)) {
            Workflow<String, String> journey = Journey.seenBy(witness);
            // Closed only once all is over, so that its threads end: a dead process closes nothing.
            try (Engine engine = Engine.over(store, journey)) {
                CompletableFuture<Boolean> lived = CompletableFuture.supplyAsync(
                        () -> {
                            engine.start(journey, "", StartOptions.defaults().idempotencyKey(key))
                                    .result(LONG);
                            return false;
                        },
                        Thread::startVirtualThread);
                died = (Boolean) CompletableFuture.anyOf(store.death(), lived).join();
                if (died) {
                    store.release();
                    endLeases();
                    goesOn(file, key);
                }
            }
        }
        return died;
    }

    private void goesOn(Path file, String key) throws IOException {
        try (StepWitness witness = StepWitness.at(file);
                Store store = open()) {
            List<String> recorded = recorded(store, key);
            int before = StepWitness.heard(file).size();
            Workflow<String, String> journey = Journey.seenBy(witness);
            try (Engine engine = Engine.over(store, journey)) {
                Run<String> run =
                        engine.start(journey, "", StartOptions.defaults().idempotencyKey(key));
                assertThat(run.result(LONG)).isEqualTo(Journey.RESULT);
                List<String> lines = StepWitness.heard(file);
                assertThat(lines.subList(before, lines.size()))
                        .as("done again though it was recorded")
                        .filteredOn(recorded::contains)
                        .isEmpty();
                Journey.judge(run.history(), lines);
            }
        }
    }

    /** What the dead process had got into the history, whether it heard so or not. */
    private static List<String> recorded(Store store, String key) {
        return store.runOf(TenantId.DEFAULT, new WorkflowName(Journey.NAME), new IdempotencyKey(key))
                .map(run -> Journey.recorded(store.history(TenantId.DEFAULT, run, 0, MOST_EVENTS)))
                .orElse(List.of());
    }
}
