package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.invariant.Violation;
import io.perdure.testkit.property.ModelRun;
import io.perdure.testkit.simulation.Simulation;
import io.perdure.testkit.simulation.SimulationReport;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Four stores on one schema answer as if they were one: every call goes to another, those too that send a lane's batch again. So
 * nothing that a store remembers in memory is needed for a right answer. The rules of the contract, one by one, are held to by two
 * stores already, see {@link TwoProcessesTest}; here are the random operations and the simulations that neither they nor one store run.
 */
@Exhaustive
final class FourProcessesTest {
    private final StoreFactory factory = new VirtualTime(TestPostgres.url(), 4);

    @Test
    void randomOperationsAreAnsweredAsByTheModel() {
        ModelRun.check(factory, 4_242_424_242L);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(6, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noInvariantBreaks(long seed) {
        SimulationReport report = new Simulation(factory).run(seed);
        List<Violation> violations = report.violations();
        assertThat(violations).as(() -> report.describe(violations)).isEmpty();
    }
}
