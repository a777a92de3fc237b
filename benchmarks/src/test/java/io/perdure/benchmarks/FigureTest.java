package io.perdure.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.benchmarks.Figure.Goal;
import io.perdure.benchmarks.Figure.Unit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A goal that was missed is shown as missed. */
final class FigureTest {
    private static final Figure RATE = Figure.of("runs_per_s", "runs", Unit.PER_SECOND, 9_999.4);
    private static final Figure TIME = Figure.of("p50_ms", "time", Unit.MILLIS, 1.23456);

    @Test
    void goalsAreMetOrMissed() {
        assertThat(RATE.aimingAt(Goal.atLeast(10_000)).goalText()).isEqualTo("at least 10,000/s, missed");
        assertThat(RATE.aimingAt(Goal.atLeast(9_000)).goalText()).isEqualTo("at least 9,000/s, met");
        assertThat(TIME.aimingAt(Goal.atMost(2)).goalText()).isEqualTo("at most 2.00 ms, met");
        assertThat(TIME.aimingAt(Goal.atMost(1)).goalText()).isEqualTo("at most 1.00 ms, missed");
        assertThat(TIME.goalText()).isEmpty();
    }

    @Test
    void theReportNamesWhatWasMissed() {
        List<Figure> figures = List.of(RATE.aimingAt(Goal.atLeast(10_000)), TIME.aimingAt(Goal.atMost(2)));

        assertThat(new FiguresReport("2 cores", figures, "").json())
                .containsEntry("runs_per_s", 9_999L)
                .containsEntry("p50_ms", 1.2346)
                .containsEntry("missed", List.of("runs_per_s"));
    }
}
