package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.boom;
import static io.perdure.testkit.invariant.SampleEvents.cancelled;
import static io.perdure.testkit.invariant.SampleEvents.completed;
import static io.perdure.testkit.invariant.SampleEvents.done;
import static io.perdure.testkit.invariant.Scene.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A run ends once. */
class OneTerminalStateTest {
    private final Invariant invariant = new OneTerminalState();
    private final Scene scene = new Scene();

    @Test
    void failedRunThatIsRedrivenAndCompletesIsFine() {
        Event[] events = {
            new Event.RunFailed(boom()), new Event.RunRedriven("somebody", "again"), done(),
        };
        scene.start().read(RunStatus.COMPLETED, scene.history(events));

        holds();
    }

    @Test
    void completedRunIsCancelledAfterwards() {
        scene.start().read(RunStatus.CANCELLED, scene.history(done(), cancelled()));

        breaks("follows although the run was completed");
    }

    @Test
    void cancelledRunIsRedriven() {
        scene.start().read(RunStatus.RUNNING, scene.history(cancelled(), new Event.RunRedriven("somebody", "again")));

        breaks("follows although the run was cancelled");
    }

    @Test
    void stepFollowsTheEnd() {
        scene.start().read(RunStatus.COMPLETED, scene.history(done(), completed("a")));

        breaks("follows although the run was completed");
    }

    @Test
    void rowAndHistoryDisagree() {
        scene.start().read(RunStatus.RUNNING, scene.history(done()));

        breaks("its row says running, its history completed");
    }

    @Test
    void runningRunHasAnEnd() {
        RunSnapshot whole = scene.snapshot(RUN, RunStatus.RUNNING, scene.history(), List.of());
        RunRow row = whole.run();
        RunRow ended = RowTimes.of(row, row.deadline(), scene.now());
        scene.start().read(new RunSnapshot(ended, whole.history(), List.of(), whole.message()));

        breaks("it is running and ended at");
    }

    private void holds() {
        assertThat(scene.judgedBy(invariant)).isEmpty();
    }

    private void breaks(String how) {
        assertThat(scene.judgedBy(invariant))
                .allMatch(violation -> violation.number() == invariant.number())
                .anyMatch(violation -> violation.seen().contains(how));
    }
}
