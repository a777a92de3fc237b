package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.JOBS;
import static io.perdure.testkit.invariant.Scene.LEASE;
import static io.perdure.testkit.invariant.Scene.OTHER_TOKEN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static io.perdure.testkit.invariant.Scene.message;
import static io.perdure.testkit.invariant.Scene.newMessage;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.SentMessage;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A group goes one at a time, in order. */
class FifoOrderTest {
    private final Invariant invariant = new FifoOrder();
    private final Scene scene = new Scene();

    @Test
    void headThenNextIsFine() {
        scene.queue(3, true)
                .send(1)
                .send(2)
                .deliver(1, 1, TOKEN)
                .deliver(1, 2, TOKEN)
                .done(1, TOKEN)
                .deliver(2, 1, TOKEN);

        holds();
    }

    @Test
    void deadLetteredHeadUnblocksItsGroup() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Reject("e"), new Outcome.Settled(Fate.DEAD_LETTERED))
                .deliver(2, 1, TOKEN);

        holds();
    }

    @Test
    void secondIsDeliveredBeforeTheFirst() {
        scene.queue(3, true).send(1).send(2).deliver(2, 1, TOKEN);

        breaks("which was sent first");
    }

    @Test
    void secondOfOneSendIsDeliveredBeforeTheFirst() {
        List<NewMessage> both = List.of(newMessage(1, Duration.ZERO), newMessage(2, Duration.ZERO));
        scene.queue(3, true)
                .commit(new QueueCommit.Send(ACME, both), sent(1, 2))
                .deliver(2, 1, TOKEN);

        breaks("which was sent first");
    }

    @Test
    void secondIsDeliveredWhileTheFirstIsLeased() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN).deliver(2, 1, OTHER_TOKEN);

        breaks("was not settled");
    }

    @Test
    void secondIsDeliveredWhileTheFirstIsInHandForTheLastTime() {
        scene.queue(0, true).send(1).send(2).deliver(1, 1, TOKEN).deliver(2, 1, OTHER_TOKEN);

        breaks("was not settled");
    }

    @Test
    void secondIsDeliveredAfterTheLastLeaseOfTheFirst() {
        scene.queue(0, true).send(1).send(2).deliver(1, 1, TOKEN).after(LEASE).deliver(2, 1, OTHER_TOKEN);

        holds();
    }

    @Test
    void secondIsDeliveredWhileTheFirstMayBeInHandOfSomebodyWhoDidNotHear() {
        scene.queue(0, true).send(1).send(2).loseReceive().deliver(2, 1, OTHER_TOKEN);

        breaks("which was sent first");
    }

    @Test
    void secondIsDeliveredWhileTheFirstWaitsForItsRetry() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Retry(LEASE, "e"), new Outcome.Settled(Fate.RETRIED))
                .deliver(2, 1, TOKEN);

        breaks("was not settled");
    }

    @Test
    void twoOfAGroupAreWithTwoReceiversAtOnce() {
        scene.queue(3, true).send(1).send(2);
        scene.by("receiver-1").deliver(1, 1, TOKEN);
        scene.by("receiver-2").deliver(2, 1, OTHER_TOKEN);

        breaks("was not settled");
    }

    @Test
    void secondIsDeliveredWhileTheFirstComesForTheSecondTime() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN).after(LEASE);
        scene.by("receiver-2").deliver(2, 1, OTHER_TOKEN);

        breaks("was not settled");
    }

    @Test
    void sendersThatSentOneAfterTheOtherAreSwapped() {
        scene.queue(3, true);
        scene.by("sender-1").send(1);
        scene.by("sender-2").send(2);
        scene.by("receiver").deliver(2, 1, TOKEN).done(2, TOKEN).deliver(1, 1, OTHER_TOKEN);

        breaks("which was sent first");
    }

    @Test
    void sendersThatSentTogetherMayComeInEitherOrder() {
        sentTogether();
        scene.deliver(numbered(1, 2), TOKEN).done(1, TOKEN).deliver(numbered(2, 3), OTHER_TOKEN);

        holds();
    }

    @Test
    void sendersThatSentTogetherComeInAnotherOrderThanTheirNumbers() {
        sentTogether();
        scene.deliver(numbered(1, 3), TOKEN).done(1, TOKEN).deliver(numbered(2, 2), OTHER_TOKEN);

        breaks("as number 3 of its group before");
    }

    @Test
    void sendersThatSentTogetherHaveTheSameNumber() {
        sentTogether();
        scene.deliver(numbered(1, 2), TOKEN).done(1, TOKEN).deliver(numbered(2, 2), OTHER_TOKEN);

        breaks("as number 2 of its group before");
    }

    @Test
    void secondOfOneSendOvertakesTheFirstWhileSomebodyElseSends() {
        QueueCommit both =
                new QueueCommit.Send(ACME, List.of(newMessage(1, Duration.ZERO), newMessage(2, Duration.ZERO)));
        QueueCommit other = new QueueCommit.Send(ACME, List.of(newMessage(3, Duration.ZERO)));
        scene.queue(3, true);
        CommitRef two = scene.by("sender-1").ask(both);
        CommitRef one = scene.by("sender-2").ask(other);
        scene.note(new Fact.Answered(one, other, sent(3))).note(new Fact.Answered(two, both, sent(1, 2)));
        scene.deliver(2, 1, TOKEN);

        breaks("which was sent first");
    }

    private void sentTogether() {
        QueueCommit first = new QueueCommit.Send(ACME, List.of(newMessage(1, Duration.ZERO)));
        QueueCommit second = new QueueCommit.Send(ACME, List.of(newMessage(2, Duration.ZERO)));
        scene.queue(3, true);
        CommitRef one = scene.by("sender-1").ask(first);
        CommitRef two = scene.by("sender-2").ask(second);
        scene.note(new Fact.Answered(two, second, sent(2))).note(new Fact.Answered(one, first, sent(1)));
    }

    private static Outcome sent(Integer... messages) {
        return new Outcome.Sent(Stream.of(messages)
                .map(message -> new SentMessage(message(message), true))
                .toList());
    }

    private MessageRow numbered(int message, long number) {
        return MessageRows.numbered(scene.row(message, JOBS, 1, 0, null), number);
    }

    @Test
    void delayedHeadIsOvertaken() {
        scene.queue(3, true).send(1, Duration.ofMinutes(1)).send(2).deliver(2, 1, TOKEN);

        breaks("which was sent first");
    }

    @Test
    void retryingHeadIsOvertakenByTheOneBehindIt() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Retry(Duration.ZERO, "e"), new Outcome.Settled(Fate.RETRIED));
        scene.deliver(2, 1, OTHER_TOKEN).done(2, OTHER_TOKEN).deliver(1, 2, TOKEN);

        breaks("which was sent first");
    }

    @Test
    void releasedHeadComesAgainBeforeTheOthers() {
        scene.queue(0, true).send(1).send(2);
        release(TOKEN);
        release(OTHER_TOKEN);
        scene.deliver(1, 1, TOKEN).done(1, TOKEN).deliver(2, 1, TOKEN);

        holds();
    }

    @Test
    void releasedHeadIsOvertaken() {
        scene.queue(0, true).send(1).send(2);
        release(TOKEN);
        scene.deliver(2, 1, OTHER_TOKEN);

        breaks("was not settled");
    }

    @Test
    void headWhoseReleaseWasNotAnsweredIsOvertaken() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN);
        scene.ask(new QueueCommit.Settle(ACME, new Receipt(message(1), TOKEN), new Verdict.Release()));
        scene.deliver(2, 1, OTHER_TOKEN);

        breaks("was not settled");
    }

    private void release(UUID token) {
        scene.deliver(1, 1, token).settle(1, token, new Verdict.Release(), new Outcome.Settled(Fate.RELEASED));
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
