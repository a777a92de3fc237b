package io.perdure.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.memory.MemoryStore;
import io.perdure.testkit.invariant.Invariant;
import io.perdure.testkit.invariant.Invariants;
import io.perdure.testkit.invariant.Violation;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A checker that has never failed is not a checker: each bug is planted, and caught by the invariant named for it. */
class PlantedBugTest {
    /** How many seeds a bug may stay unnoticed. Most show at once; a lost wake-up needs a race in the one right place. */
    private static final int SEEDS = 150;

    @ParameterizedTest
    @EnumSource
    void plantedBugIsCaughtByTheInvariantNamedForIt(PlantedBug bug) {
        Simulation simulation = new Simulation((clock, limits) -> bug.plantedIn(new MemoryStore(clock, limits)));
        for (long seed = 1; seed <= SEEDS; seed++) {
            List<Violation> violations = simulation.run(seed).violations();
            if (violations.stream().anyMatch(bug::isCaughtBy)) {
                return;
            }
        }
        assertThat(bug)
                .as("caught by %s within %d seeds", bug.caughtBy(), SEEDS)
                .isNull();
    }

    @Test
    void everyInvariantCatchesAPlantedBug() {
        assertThat(Arrays.stream(PlantedBug.values()).map(PlantedBug::caughtBy).distinct())
                .containsExactlyInAnyOrderElementsOf(
                        Invariants.all().stream().map(Invariant::name).toList());
    }
}
