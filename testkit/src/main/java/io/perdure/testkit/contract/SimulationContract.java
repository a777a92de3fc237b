package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.testkit.Seeds;
import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.invariant.Violation;
import io.perdure.testkit.simulation.Simulation;
import io.perdure.testkit.simulation.SimulationReport;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Workers, receivers and operators meet on the store, with every fault there is, and no invariant breaks. */
abstract class SimulationContract {
    private final StoreFactory factory;

    SimulationContract(StoreFactory factory) {
        this.factory = factory;
    }

    static LongStream seeds() {
        return LongStream.concat(Seeds.asked(), LongStream.rangeClosed(1, 20));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    final void noInvariantBreaks(long seed) {
        SimulationReport report = new Simulation(factory).run(seed);
        List<Violation> violations = report.violations();
        assertThat(violations).as(() -> report.describe(violations)).isEmpty();
    }
}
