package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.SampleEvents.completed;
import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.OTHER_TOKEN;
import static io.perdure.testkit.invariant.Scene.PLAIN;
import static io.perdure.testkit.invariant.Scene.RUN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static io.perdure.testkit.invariant.Scene.advance;
import static io.perdure.testkit.invariant.Scene.message;
import static io.perdure.testkit.invariant.Scene.newMessage;
import static io.perdure.testkit.invariant.Scene.startOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.queue.SentMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A commit sent again has one effect and one answer. */
class UnknownIsNotFailedTest {
    private final Invariant invariant = new UnknownIsNotFailed();
    private final Scene scene = new Scene();

    @Test
    void sameAnswerTwiceIsFine() {
        RunCommit commit = advance(TOKEN, 1, null, List.of(completed("a")));
        Outcome outcome = new Outcome.Appended(List.of(scene.at(1, completed("a"))), RunStatus.RUNNING);
        scene.start();
        CommitRef ref = scene.ask(commit);
        scene.note(new Fact.AnswerLost(ref, commit))
                .note(new Fact.Asked(ref, commit))
                .note(new Fact.Answered(ref, commit, outcome))
                .note(new Fact.Answered(ref, commit, outcome))
                .read(RunStatus.RUNNING, scene.history(completed("a")));

        holds();
    }

    @Test
    void commitWithoutAnAnswerMayOrMayNotBeThere() {
        scene.start();
        scene.ask(advance(TOKEN, 1, null, List.of(completed("a"))));
        scene.ask(advance(OTHER_TOKEN, 1, null, List.of(completed("b"))));
        scene.read(RunStatus.RUNNING, scene.history(completed("b")));

        holds();
    }

    @Test
    void commitSentAgainIsAnsweredDifferently() {
        RunCommit commit = advance(TOKEN, 1, null, List.of(completed("a")));
        CommitRef ref = scene.start().ask(commit);
        scene.note(new Fact.Answered(ref, commit, new Outcome.Appended(List.of(), RunStatus.RUNNING)))
                .note(new Fact.Answered(ref, commit, new Outcome.Conflict(1)));

        breaks("when it was sent again");
    }

    @Test
    void commitAnsweredAsConflictIsThere() {
        scene.start()
                .commit(advance(TOKEN, 1, null, List.of(completed("a"))), new Outcome.Conflict(1))
                .read(RunStatus.RUNNING, scene.history(completed("a")));

        breaks("recorded more often");
    }

    @Test
    void commitIsThereTwice() {
        scene.start()
                .append(TOKEN, 1, completed("a"))
                .read(RunStatus.RUNNING, scene.history(completed("a"), completed("a")));

        breaks("recorded more often");
    }

    @Test
    void runIsThereAlthoughItsStartWasRefused() {
        scene.commit(startOf(RUN, PLAIN, Due.atOnce()), new Outcome.Conflict(0))
                .read(RunStatus.RUNNING, scene.history());

        breaks("no start of it succeeded");
    }

    @Test
    void messageIsDeliveredAlthoughItsSendWasRefused() {
        scene.queue(3, true)
                .commit(
                        new QueueCommit.Send(ACME, List.of(newMessage(1, Duration.ZERO))),
                        new Outcome.Sent(List.of(new SentMessage(message(1), false))))
                .deliver(1, 1, TOKEN);

        breaks("every answer said it was not sent");
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
