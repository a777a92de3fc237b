package io.perdure.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Store;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.crash.MortalStore.Death;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
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
    void aRunSurvivesADeathAtEveryCall(Moment moment) throws IOException, InterruptedException {
        everyDeathInTurn(moment, this::diesAndGoesOn);
    }

    /** Killed for real, without warning: nothing is closed, and nothing is written on the way out. */
    @Exhaustive
    @ParameterizedTest
    @EnumSource(names = {"BEFORE_COMMIT", "AFTER_COMMIT", "AFTER_CLAIM"})
    void aRunSurvivesTheDeathOfItsProcessAtEveryCall(Moment moment) throws IOException, InterruptedException {
        everyDeathInTurn(moment, this::isKilledAndGoesOn);
    }

    private static void everyDeathInTurn(Moment moment, Attempted attempted) throws IOException, InterruptedException {
        int number = 1;
        while (attempted.diedOf(new Death(moment, number))) {
            number++;
            assertThat(number).isLessThan(MOST_CALLS);
        }
        int atLeast = switch (moment) {
            case BEFORE_COMMIT, AFTER_COMMIT -> Journey.LINES.size();
            case BEFORE_CLAIM, AFTER_CLAIM, BEFORE_SNAPSHOTS, AFTER_SNAPSHOTS -> 2;
        };
        assertThat(number - 1).as("deaths").isGreaterThanOrEqualTo(atLeast);
    }

    /** Answers whether the moment came at all. */
    private boolean isKilledAndGoesOn(Death death) throws IOException, InterruptedException {
        String key = key(death);
        Path witness = witness(key);
        int code = MortalProcess.run(url(), witness, key, death);
        if (code == MortalProcess.LIVED) {
            return false;
        }
        assertThat(code).isEqualTo(MortalProcess.DIED);
        endLeases();
        goesOn(witness, key);
        return true;
    }

    /** Answers whether the moment came at all. */
    private boolean diesAndGoesOn(Death death) throws IOException {
        String key = key(death);
        Path file = witness(key);
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
                // Who starts a run in a process that dies may be the first to hear of it.
                CompletableFuture<Boolean> ended = lived.exceptionallyCompose(
                        e -> store.isDoomed() ? store.death() : CompletableFuture.failedFuture(e));
                died = (Boolean) CompletableFuture.anyOf(store.death(), ended).join();
                if (died) {
                    store.release();
                    endLeases();
                    goesOn(file, key);
                }
            }
        }
        return died;
    }

    private static String key(Death death) {
        return death.moment() + "-" + death.number();
    }

    private Path witness(String key) {
        return folder.resolve("witness-" + key);
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

    /** One journey, and the death that it is to meet. */
    @FunctionalInterface
    private interface Attempted {
        boolean diedOf(Death death) throws IOException, InterruptedException;
    }
}
