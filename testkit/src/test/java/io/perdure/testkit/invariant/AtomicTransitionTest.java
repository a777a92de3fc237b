package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.completed;
import static io.perdure.testkit.invariant.SampleEvents.done;
import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.GO;
import static io.perdure.testkit.invariant.Scene.JOBS;
import static io.perdure.testkit.invariant.Scene.LEASE;
import static io.perdure.testkit.invariant.Scene.RUN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static io.perdure.testkit.invariant.Scene.advance;
import static io.perdure.testkit.invariant.Scene.message;
import static io.perdure.testkit.invariant.Scene.newMessage;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A transition is whole. */
class AtomicTransitionTest {
    private final Invariant invariant = new AtomicTransition();
    private final Scene scene = new Scene();

    @Test
    void wholeTransitionIsFine() {
        twoEvents();
        scene.read(RunStatus.COMPLETED, scene.history(completed("a"), done()));

        holds();
    }

    @Test
    void commitWithoutAnswerThatIsNotThereIsFine() {
        scene.start();
        lost(advance(TOKEN, 1, null, List.of(completed("a"), done())));
        scene.read(RunStatus.RUNNING, scene.history());

        holds();
    }

    @Test
    void onlyTheFirstEventOfACommitIsThere() {
        twoEvents();
        scene.read(RunStatus.RUNNING, scene.history(completed("a")));

        breaks("are one commit, and only some");
    }

    @Test
    void onlyTheFirstEventOfAnUnansweredCommitIsThere() {
        scene.start();
        lost(advance(TOKEN, 1, null, List.of(completed("a"), done())));
        scene.read(RunStatus.RUNNING, scene.history(completed("a")));

        breaks("] only some are there");
    }

    @Test
    void fewerEventsAreAnsweredThanWereSent() {
        scene.start()
                .commit(
                        advance(TOKEN, 1, null, List.of(completed("a"), done())),
                        new Outcome.Appended(List.of(scene.at(1, completed("a"))), RunStatus.RUNNING));

        breaks("were to be appended");
    }

    @Test
    void eventsAreThereWithoutTheirMessage() {
        scene.queue(3, true).start().commit(sending(), sent()).lastLook().holds(JOBS, 0);

        breaks("the events it left with came through, and it is not there");
    }

    @Test
    void messageIsThereWithoutItsEvents() {
        scene.queue(3, true).start().commit(sending(), new Outcome.Conflict(3)).deliver(1, 1, TOKEN);

        breaks("the events it left with did not come through");
    }

    @Test
    void runIsLetGoWithoutItsTime() {
        Release release = Release.until(Due.in(LEASE));
        scene.start()
                .commit(advance(TOKEN, 1, release, List.of()), new Outcome.Appended(List.of(), RunStatus.RUNNING))
                .read(RunStatus.RUNNING, scene.history());

        breaks("it was let go");
    }

    @Test
    void runIsLetGoWithoutItsWakeUp() {
        Release release = new Release(Due.atOnce(), Set.of(GO), 0);
        scene.start()
                .commit(advance(TOKEN, 1, release, List.of()), new Outcome.Appended(List.of(), RunStatus.RUNNING))
                .read(RunStatus.RUNNING, scene.history());

        breaks("it was let go");
    }

    @Test
    void messageThatLeavesWithAVerdictIsFine() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        scene.commit(settling(), new Outcome.Settled(Fate.DONE, List.of(new SentMessage(message(2), true))));
        scene.lastLook().holds(JOBS, 2, scene.row(2, JOBS, 0, 0, null));

        holds();
    }

    @Test
    void verdictComesThroughWithoutItsMessage() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        scene.commit(settling(), new Outcome.Settled(Fate.DONE));
        scene.lastLook().holds(JOBS, 1);

        breaks("the verdict it left with came through, and it is not there");
    }

    @Test
    void messageComesThroughWithoutItsVerdict() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        scene.commit(settling(), new Outcome.LeaseLost(null)).deliver(2, 1, TOKEN);

        breaks("the verdict it left with did not come through");
    }

    private static QueueCommit settling() {
        return new QueueCommit.Settle(
                ACME,
                new Receipt(message(1), TOKEN),
                new QueueCommit.Verdict.Done(),
                List.of(newMessage(2, Duration.ZERO)));
    }

    private void twoEvents() {
        scene.start()
                .commit(
                        advance(TOKEN, 1, null, List.of(completed("a"), done())),
                        new Outcome.Appended(
                                List.of(scene.at(1, completed("a")), scene.at(2, done())), RunStatus.COMPLETED));
    }

    private void lost(RunCommit commit) {
        CommitRef ref = scene.ask(commit);
        scene.note(new Fact.AnswerLost(ref, commit));
    }

    private static RunCommit sending() {
        return new RunCommit.Advance(
                ACME, RUN, TOKEN, 1, List.of(new Draft(completed("a"))), List.of(newMessage(1, Duration.ZERO)), null);
    }

    private Outcome sent() {
        return new Outcome.Appended(
                List.of(scene.at(1, completed("a"))), RunStatus.RUNNING, List.of(new SentMessage(message(1), true)));
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
