package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.boom;
import static io.perdure.testkit.invariant.SampleEvents.completed;
import static io.perdure.testkit.invariant.SampleEvents.done;
import static io.perdure.testkit.invariant.Scene.OTHER_RUN;
import static io.perdure.testkit.invariant.Scene.RUN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.WorkflowId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A workflow id is held by one active run. */
class OneActiveRunTest {
    private static final StartOptions NAMED =
            new StartOptions(null, new WorkflowId("w"), Due.never(), Map.of(), 1, null);

    private final Invariant invariant = new OneActiveRun();
    private final Scene scene = new Scene();

    @Test
    void secondRunAfterTheFirstEndedIsFine() {
        scene.start(RUN, NAMED).read(RunStatus.RUNNING, scene.history());
        scene.append(TOKEN, 1, done()).start(OTHER_RUN, NAMED).lastLook();
        scene.read(RunStatus.COMPLETED, scene.history(done()));
        scene.read(scene.snapshot(OTHER_RUN, RunStatus.RUNNING, scene.history(), List.of()));

        holds();
    }

    @Test
    void secondRunBeginsWhileTheFirstGoesOn() {
        scene.start(RUN, NAMED).read(RunStatus.RUNNING, scene.history());
        scene.start(OTHER_RUN, NAMED).read(RunStatus.RUNNING, scene.history(completed("a")));

        breaks("held workflow id");
    }

    @Test
    void secondRunBeginsWhileTheFirstIsParked() {
        Event parked = new Event.RunParked("r", "d");
        scene.start(RUN, NAMED).read(RunStatus.PARKED, scene.history(parked));
        scene.start(OTHER_RUN, NAMED).read(RunStatus.PARKED, scene.history(parked));

        breaks("held workflow id");
    }

    @Test
    void bothAreActiveAtTheEnd() {
        scene.start(RUN, NAMED).start(OTHER_RUN, NAMED).lastLook().read(RunStatus.RUNNING, scene.history());
        scene.read(scene.snapshot(OTHER_RUN, RunStatus.RUNNING, scene.history(), List.of()));

        breaks("all are active");
    }

    @Test
    void failedRunIsRedrivenWhileAnotherHoldsTheId() {
        Event redriven = new Event.RunRedriven("somebody", "again");
        RunSnapshot other = scene.snapshot(OTHER_RUN, RunStatus.RUNNING, scene.history(), List.of());
        scene.start(RUN, NAMED)
                .append(TOKEN, 1, new Event.RunFailed(boom()))
                .start(OTHER_RUN, NAMED)
                .read(other);
        scene.intervene(2, redriven).read(other);

        breaks("held workflow id");
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
