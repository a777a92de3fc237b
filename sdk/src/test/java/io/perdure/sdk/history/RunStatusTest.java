package io.perdure.sdk.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RunStatusTest {
    @Test
    void theWholeTableOfTransitionsHolds() {
        assertThat(from(RunStatus.COMPLETED)).isEmpty();
        assertThat(from(RunStatus.CANCELLED)).isEmpty();
        assertThat(from(RunStatus.FAILED)).isEqualTo(Map.of("RunRedriven", RunStatus.RUNNING));
        assertThat(from(RunStatus.PARKED))
                .isEqualTo(Map.of("RunResumed", RunStatus.RUNNING, "RunCancelled", RunStatus.CANCELLED));
        Map<String, RunStatus> running = from(RunStatus.RUNNING);
        assertThat(running)
                .containsEntry("RunCompleted", RunStatus.COMPLETED)
                .containsEntry("RunFailed", RunStatus.FAILED)
                .containsEntry("RunCancelled", RunStatus.CANCELLED)
                .containsEntry("RunParked", RunStatus.PARKED)
                .doesNotContainKeys("RunCreated", "RunRedriven");
        running.keySet().removeAll(Set.of("RunCompleted", "RunFailed", "RunCancelled", "RunParked"));
        assertThat(running).hasSize(10).allSatisfy((_, next) -> assertThat(next).isEqualTo(RunStatus.RUNNING));
    }

    private static Map<String, RunStatus> from(RunStatus status) {
        Map<String, RunStatus> table = new TreeMap<>();
        for (Event event : Samples.all().values()) {
            status.after(event).ifPresent(next -> table.put(event.getClass().getSimpleName(), next));
        }
        return table;
    }

    @Test
    void onlyWhatIsOverIsTerminal() {
        assertThat(List.of(RunStatus.values()).stream().filter(RunStatus::isTerminal))
                .containsExactly(RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.CANCELLED);
    }
}
