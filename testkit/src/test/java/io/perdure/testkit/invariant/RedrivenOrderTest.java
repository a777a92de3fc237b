package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.JOBS;
import static io.perdure.testkit.invariant.Scene.OTHER_TOKEN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static io.perdure.testkit.invariant.Scene.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.queue.Fate;
import org.junit.jupiter.api.Test;

/** What is redriven comes anew, at the tail of its group. */
class RedrivenOrderTest {
    private final Invariant invariant = new FifoOrder();
    private final Scene scene = new Scene();

    @Test
    void redrivenMessageComesAfterAllThatWasThere() {
        redriven();
        scene.send(3).deliver(numbered(2, 2), TOKEN).done(2, TOKEN);
        scene.deliver(numbered(1, 3), OTHER_TOKEN).done(1, OTHER_TOKEN).deliver(numbered(3, 4), TOKEN);

        holds();
    }

    @Test
    void redrivenMessageIsNotAtTheTail() {
        redriven();
        scene.deliver(1, 1, OTHER_TOKEN);

        breaks("which was sent first");
    }

    @Test
    void messageSentAfterARedriveComesBeforeIt() {
        redriven();
        scene.send(3).deliver(2, 1, TOKEN).done(2, TOKEN).deliver(3, 1, OTHER_TOKEN);

        breaks("which was sent first");
    }

    @Test
    void redriveWhoseAnswerIsNotKnownMayHaveComeOrNot() {
        rejected();
        scene.ask(new QueueCommit.Redrive(ACME, JOBS.deadLetters(), message(1)));
        scene.send(3).deliver(2, 1, TOKEN).done(2, TOKEN).deliver(3, 1, OTHER_TOKEN);

        holds();
    }

    @Test
    void redriveThatWasTurnedDownDoesNotTakeTheHeadAway() {
        scene.queue(3, true).send(1).send(2);
        turnedDown();
        scene.deliver(2, 1, TOKEN);

        breaks("which was sent first");
    }

    @Test
    void secondRedriveThatWasTurnedDownDoesNotTakeTheMessageAway() {
        redriven();
        turnedDown();
        scene.send(3).deliver(2, 1, TOKEN).done(2, TOKEN).deliver(3, 1, OTHER_TOKEN);

        breaks("which was sent first");
    }

    private void turnedDown() {
        scene.commit(
                new QueueCommit.Redrive(ACME, JOBS.deadLetters(), message(1)),
                new Outcome.Refused(Refusal.NO_SUCH_MESSAGE, ""));
    }

    private void rejected() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Reject("e"), new Outcome.Settled(Fate.DEAD_LETTERED));
    }

    private void redriven() {
        rejected();
        scene.commit(new QueueCommit.Redrive(ACME, JOBS.deadLetters(), message(1)), new Outcome.Changed(1));
    }

    private MessageRow numbered(int message, long number) {
        return MessageRows.numbered(scene.row(message, JOBS, 1, 0, null), number);
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
