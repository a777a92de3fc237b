package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.completed;
import static io.perdure.testkit.invariant.SampleEvents.created;
import static io.perdure.testkit.invariant.SampleEvents.done;
import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.RunStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A history only grows. */
class DenseHistoryTest {
    private final Invariant invariant = new DenseHistory();
    private final Scene scene = new Scene();

    @Test
    void growingHistoryIsFine() {
        scene.start()
                .read(RunStatus.RUNNING, scene.history())
                .read(RunStatus.RUNNING, scene.history(completed("a")))
                .read(RunStatus.COMPLETED, scene.history(completed("a"), done()));

        holds();
    }

    @Test
    void eventIsMissing() {
        scene.read(RunStatus.RUNNING, List.of(scene.at(0, created()), scene.at(2, completed("b"))));

        breaks("stands at place 1");
    }

    @Test
    void eventIsRewritten() {
        scene.read(RunStatus.RUNNING, scene.history(completed("a")))
                .read(RunStatus.RUNNING, scene.history(completed("b")));

        breaks("it was [Recorded");
    }

    @Test
    void timeOfAnEventIsRewritten() {
        scene.read(RunStatus.RUNNING, scene.history(completed("a")));
        scene.after(Duration.ofSeconds(1)).read(RunStatus.RUNNING, scene.history(completed("a")));

        breaks("it was [Recorded");
    }

    @Test
    void historyShrinks() {
        scene.read(RunStatus.RUNNING, scene.history(completed("a"))).read(RunStatus.RUNNING, scene.history());

        breaks("had 2 events, and has now 1");
    }

    @Test
    void historyDoesNotBeginWithTheCreation() {
        scene.read(RunStatus.RUNNING, List.of(scene.at(0, completed("a"))));

        breaks("begins with RunCreated");
    }

    @Test
    void historyIsEmpty() {
        scene.read(RunStatus.RUNNING, List.of());

        breaks("history is empty");
    }

    @Test
    void pageThatIsPartOfTheHistoryIsFine() {
        scene.read(RunStatus.RUNNING, scene.history(completed("a"), completed("b")));
        scene.note(new Fact.HistoryRead(
                ACME, RUN, 1, 2, scene.history(completed("a"), completed("b")).subList(1, 3)));

        holds();
    }

    @Test
    void pageDiffersFromTheHistory() {
        scene.read(RunStatus.RUNNING, scene.history(completed("a")));
        scene.note(new Fact.HistoryRead(ACME, RUN, 1, 1, List.of(scene.at(1, completed("b")))));

        breaks("the page from 1");
    }

    @Test
    void pageHasAGap() {
        scene.note(new Fact.HistoryRead(
                ACME, RUN, 1, 9, List.of(scene.at(1, completed("a")), scene.at(3, completed("b")))));

        breaks("the page from 1");
    }

    @Test
    void pageIsShorterThanWhatWasKnown() {
        scene.read(RunStatus.RUNNING, scene.history(completed("a"), completed("b")));
        scene.note(new Fact.HistoryRead(ACME, RUN, 1, 2, List.of(scene.at(1, completed("a")))));

        breaks("has 1 events, and 3 were known");
    }

    @Test
    void pageOfAStartedRunIsEmpty() {
        scene.start().note(new Fact.HistoryRead(ACME, RUN, 0, 5, List.of()));

        breaks("has 0 events, and 1 were known");
    }

    @Test
    void pageIsLongerThanItsLimit() {
        scene.read(RunStatus.RUNNING, scene.history(completed("a")));
        scene.note(new Fact.HistoryRead(ACME, RUN, 0, 1, scene.history(completed("a"))));

        breaks("with at most 1 has 2 events");
    }

    @Test
    void pageBeyondTheEndIsEmpty() {
        scene.read(RunStatus.RUNNING, scene.history(completed("a")));
        scene.note(new Fact.HistoryRead(ACME, RUN, 2, 5, List.of()));

        holds();
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
