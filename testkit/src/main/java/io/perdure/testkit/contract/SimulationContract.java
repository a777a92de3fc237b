package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.Seeds;
import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.invariant.Violation;
import io.perdure.testkit.simulation.Simulation;
import io.perdure.testkit.simulation.SimulationReport;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Workers, receivers and operators meet on the store, with every fault there is, and no invariant breaks. Every build runs the first seeds
 * and the one that was asked for; the long suites run all.
 */
abstract class SimulationContract {
    private static final long FIRST_SEEDS = 2;

    private final StoreFactory factory;
    private final long seeds;

    /** Runs the seeds from 1 up to the given one. */
    SimulationContract(StoreFactory factory, long seeds) {
        this.factory = factory;
        this.seeds = seeds;
    }

    @TestFactory
    final Stream<DynamicTest> noInvariantBreaks() {
        return simulations(LongStream.concat(Seeds.asked(), LongStream.rangeClosed(1, FIRST_SEEDS)));
    }

    @Exhaustive
    @TestFactory
    final Stream<DynamicTest> noInvariantBreaksForAnySeed() {
        return simulations(LongStream.rangeClosed(FIRST_SEEDS + 1, seeds));
    }

    private Stream<DynamicTest> simulations(LongStream some) {
        return some.mapToObj(seed -> dynamicTest("seed " + seed, () -> {
            SimulationReport report = new Simulation(factory).run(seed);
            List<Violation> violations = report.violations();
            assertThat(violations).as(() -> report.describe(violations)).isEmpty();
        }));
    }
}
