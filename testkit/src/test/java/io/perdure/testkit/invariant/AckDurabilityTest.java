package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.completed;
import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.JOBS;
import static io.perdure.testkit.invariant.Scene.OTHER_TOKEN;
import static io.perdure.testkit.invariant.Scene.RUN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.RunStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was acknowledged must be there. */
class AckDurabilityTest {
    private final Invariant invariant = new AckDurability();
    private final Scene scene = new Scene();

    @Test
    void acknowledgedStartEventsAndSignalsThatAreThereAreFine() {
        scene.start().append(TOKEN, 1, completed("a")).signal(1, 5);
        scene.read(scene.snapshot(RUN, RunStatus.RUNNING, scene.history(completed("a")), List.of(scene.mail(1, 5))));

        holds();
    }

    @Test
    void readThatBeganBeforeTheAnswerMayMissIt() {
        scene.start();
        Fact read = new Fact.RunRead(ACME, scene.snapshot(RUN, RunStatus.RUNNING, scene.history(), List.of()));
        scene.append(TOKEN, 1, completed("a"));
        Trace.Recorder overlapping = new Trace.Recorder(Duration.ZERO);
        scene.trace().all().forEach(noted -> overlapping.note(noted.since(), noted.at(), noted.by(), noted.fact()));
        overlapping.note(2, scene.now(), "reader", read);

        assertThat(invariant.check(overlapping.trace())).isEmpty();

        holds();
    }

    @Test
    void acknowledgedStartIsNotThere() {
        scene.start().note(new Fact.RunAbsent(ACME, RUN));

        breaks("its start was acknowledged");
    }

    @Test
    void acknowledgedEventIsNotThere() {
        scene.start().append(TOKEN, 1, completed("a")).read(RunStatus.RUNNING, scene.history());

        breaks("the history ends before it");
    }

    @Test
    void anotherEventStandsWhereOneWasAcknowledged() {
        scene.start().append(TOKEN, 1, completed("a")).read(RunStatus.RUNNING, scene.history(completed("b")));

        breaks("was acknowledged, and Recorded");
    }

    @Test
    void acknowledgedSignalDidNotRaiseTheWakes() {
        scene.start().signal(1, 5).read(RunStatus.RUNNING, scene.history());

        breaks("the run has had only 0");
    }

    @Test
    void messageComesBackAfterItWasDone() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN).done(1, TOKEN).deliver(1, 2, OTHER_TOKEN);

        breaks("and delivered again");
    }

    @Test
    void messageThatWasDoneIsStillThereAtTheEnd() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN).done(1, TOKEN).lastLook();
        scene.holds(JOBS, 1, scene.row(1, JOBS, 1, 0, null));

        breaks("and is still in jobs");
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
