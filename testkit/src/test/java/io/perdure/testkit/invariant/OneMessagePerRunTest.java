package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.done;
import static io.perdure.testkit.invariant.Scene.OTHER_TOKEN;
import static io.perdure.testkit.invariant.Scene.RUN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message for each running run, and for no other. */
class OneMessagePerRunTest {
    private final Invariant invariant = new OneMessagePerRun();
    private final Scene scene = new Scene();

    @Test
    void runningWithAndEndedWithoutAMessageIsFine() {
        scene.start().claim(TOKEN).read(RunStatus.RUNNING, scene.history());
        scene.append(TOKEN, 1, done()).read(RunStatus.COMPLETED, scene.history(done()));

        holds();
    }

    @Test
    void claimAfterAResumeIsFine() {
        scene.start()
                .intervene(1, new Event.RunParked("r", "d"))
                .intervene(2, new Event.RunResumed("somebody", "go on", null))
                .claim(TOKEN);

        holds();
    }

    @Test
    void runningRunHasNoMessage() {
        RunSnapshot whole = scene.snapshot(RUN, RunStatus.RUNNING, scene.history(), List.of());
        scene.start().read(new RunSnapshot(whole.run(), whole.history(), List.of(), null));

        breaks("its message is null");
    }

    @Test
    void parkedRunKeepsItsMessage() {
        RunSnapshot running = scene.snapshot(RUN, RunStatus.RUNNING, scene.history(), List.of());
        RunSnapshot parked =
                scene.snapshot(RUN, RunStatus.PARKED, scene.history(new Event.RunParked("r", "d")), List.of());
        scene.start().read(new RunSnapshot(parked.run(), parked.history(), List.of(), running.message()));

        breaks("is parked and its message");
    }

    @Test
    void endedRunIsClaimed() {
        scene.start().append(TOKEN, 1, done()).claim(OTHER_TOKEN);

        breaks("although it was completed");
    }

    @Test
    void runIsClaimedTwiceAtOnce() {
        scene.start().claim(TOKEN).claim(TOKEN);

        breaks("given it twice");
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
