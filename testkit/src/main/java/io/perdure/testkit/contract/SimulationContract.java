package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.invariant.Violation;
import io.perdure.testkit.simulation.Simulation;
import io.perdure.testkit.simulation.SimulationReport;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Workers, receivers and operators meet on the store, with every fault there is, and no invariant breaks. */
abstract class SimulationContract {
    private final StoreFactory factory;
    private final LongStream seeds;

    SimulationContract(StoreFactory factory, LongStream seeds) {
        this.factory = factory;
        this.seeds = seeds;
    }

    @TestFactory
    final Stream<DynamicTest> noInvariantBreaks() {
        return seeds.mapToObj(seed -> dynamicTest("seed " + seed, () -> {
            SimulationReport report = new Simulation(factory).run(seed);
            List<Violation> violations = report.violations();
            assertThat(violations).as(() -> report.describe(violations)).isEmpty();
        }));
    }
}
