package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.testkit.invariant.Violation;
import io.perdure.testkit.property.ModelRun;
import io.perdure.testkit.simulation.Simulation;
import io.perdure.testkit.simulation.SimulationReport;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The random parts of the contract once more over two stores: what {@link FourProcessesTest} runs whole. */
@Timeout(120)
final class TwoProcessesTest {
    private static final int OPERATIONS = 4_000;

    private final VirtualTime time = new VirtualTime(TestPostgres.url(), 2);

    @ParameterizedTest
    @ValueSource(longs = {1, 4_242_424_242L})
    void theyAnswerLikeTheModel(long seed) {
        ModelRun.checkFirst(OPERATIONS, time::open, seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void noInvariantBreaks(long seed) {
        SimulationReport report = new Simulation(time::open).run(seed);
        List<Violation> violations = report.violations();
        assertThat(violations).as(() -> report.describe(violations)).isEmpty();
    }
}
