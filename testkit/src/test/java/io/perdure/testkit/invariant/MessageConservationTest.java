package io.perdure.testkit.invariant;

import static io.perdure.testkit.invariant.Scene.ACME;
import static io.perdure.testkit.invariant.Scene.JOBS;
import static io.perdure.testkit.invariant.Scene.LEASE;
import static io.perdure.testkit.invariant.Scene.OTHER_TOKEN;
import static io.perdure.testkit.invariant.Scene.TOKEN;
import static io.perdure.testkit.invariant.Scene.ZETA;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueFigures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No message is in two places or in none. */
class MessageConservationTest {
    private final Invariant invariant = new MessageConservation();
    private final Scene scene = new Scene();

    @Test
    void messagesThatAreDoneOrStillThereAreFine() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN).done(1, TOKEN).lastLook();
        scene.holds(JOBS, 2, scene.row(2, JOBS, 1, 0, null));

        holds();
    }

    @Test
    void acceptedMessageIsNowhere() {
        scene.queue(3, true).send(1).lastLook().holds(JOBS, 1);

        breaks("accepted, never settled, and is nowhere");
    }

    @Test
    void retriedMessageIsNowhere() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Retry(Duration.ZERO, "e"), new Outcome.Settled(Fate.RETRIED));
        scene.lastLook().holds(JOBS, 1);

        breaks("accepted, never settled, and is nowhere");
    }

    @Test
    void messageIsInItsQueueAndAmongTheDeadLetters() {
        DeadLetter letter = new DeadLetter(JOBS, DeadLetter.Reason.REJECTED, scene.now(), 1);
        scene.queue(3, true).send(1).lastLook().holds(JOBS, 1, scene.row(1, JOBS, 1, 0, null));
        scene.holds(JOBS.deadLetters(), 1, scene.row(1, JOBS.deadLetters(), 1, 0, letter));

        breaks("[jobs, jobs.dlq] at once");
    }

    @Test
    void messageIsInItsQueueTwice() {
        MessageRow row = scene.row(1, JOBS, 1, 0, null);
        scene.queue(3, true).send(1).lastLook().holds(JOBS, 2, row, row);

        breaks("in jobs twice");
    }

    @Test
    void figuresDoNotAddUp() {
        scene.note(new Fact.QueueRead(ACME, JOBS, List.of(), new QueueFigures(0, 0, 0, null, 3, 1, 0, 1, 0)));

        breaks("came in, QueueFigures");
    }

    @Test
    void figuresAndMessagesDisagree() {
        scene.note(new Fact.QueueRead(ACME, JOBS, List.of(), new QueueFigures(1, 0, 0, null, 1, 0, 0, 0, 0)));

        breaks("and says QueueFigures");
    }

    @Test
    void queueTookInLessThanItAccepted() {
        scene.queue(3, true)
                .send(1)
                .send(2)
                .deliver(1, 1, TOKEN)
                .done(1, TOKEN)
                .deliver(2, 1, TOKEN)
                .done(2, TOKEN);
        scene.lastLook().holds(JOBS, 1);

        breaks("took in 1");
    }

    @Test
    void messagesOfAnotherTenantDoNotMakeUpForThoseThatAreMissing() {
        scene.queue(3, true).send(1).send(2).deliver(1, 1, TOKEN).done(1, TOKEN);
        QueueFigures foreign = new QueueFigures(0, 0, 0, null, 5, 5, 0, 0, 0);
        scene.lastLook().holds(JOBS, 1, scene.row(2, JOBS, 1, 0, null));
        scene.note(new Fact.QueueRead(ZETA, JOBS, List.of(), foreign));

        breaks("took in 1");
    }

    @Test
    void releasedMessageIsNowhere() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Release(), new Outcome.Settled(Fate.RELEASED));
        scene.lastLook().holds(JOBS, 1);

        breaks("accepted, never settled, and is nowhere");
    }

    @Test
    void messageIsInTwoQueues() {
        QueueName other = new QueueName("other");
        scene.queue(3, true).send(1).lastLook();
        scene.holds(JOBS, 1, scene.row(1, JOBS, 1, 0, null)).holds(other, 1, scene.row(1, other, 1, 0, null));

        breaks("[jobs, other] at once");
    }

    @Test
    void deadLetterHasVanished() {
        rejected();
        scene.lastLook().holds(JOBS, 1).holds(JOBS.deadLetters(), 1);

        breaks("accepted, never settled, and is nowhere");
    }

    @Test
    void deadLetterNeverCameIn() {
        rejected();
        scene.commit(new QueueCommit.Discard(ACME, JOBS.deadLetters(), Scene.message(1)), new Outcome.Changed(1));
        scene.lastLook().holds(JOBS, 1).holds(JOBS.deadLetters(), 0);

        breaks("1 messages were given up to it, and it took in 0");
    }

    private void rejected() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Reject("e"), new Outcome.Settled(Fate.DEAD_LETTERED));
    }

    @Test
    void leasedMessageIsCountedAsReady() {
        scene.queue(3, true).send(1);
        says(new QueueFigures(1, 0, 0, scene.now(), 1, 0, 0, 0, 0), scene.row(1, JOBS, 1, 0, null));

        breaks("it holds 1 messages, 1 leased, and says");
    }

    @Test
    void delayedMessageIsCountedAsReady() {
        scene.queue(3, true).send(1, LEASE);
        says(
                new QueueFigures(1, 0, 0, null, 1, 0, 0, 0, 0),
                waiting(1, scene.now().plus(LEASE)));

        breaks("1 of its messages are delayed");
    }

    @Test
    void messageWhoseDelayIsOverIsCountedAsDelayed() {
        scene.queue(3, true).send(1, LEASE).after(LEASE);
        says(new QueueFigures(0, 1, 0, null, 1, 0, 0, 0, 0), waiting(1, scene.now()));

        breaks("0 of its messages are delayed");
    }

    @Test
    void anotherMessageIsCalledTheOldest() {
        Instant sent = scene.now();
        scene.queue(3, true).send(1).after(LEASE).send(2);
        QueueFigures figures = new QueueFigures(2, 0, 0, scene.now(), 2, 0, 0, 0, 0);
        says(figures, waiting(1, sent), waiting(2, scene.now()));

        breaks("the oldest is ready since " + sent);
    }

    @Test
    void figuresThatAgreeWithTheMessagesAreFine() {
        Instant sent = scene.now();
        scene.queue(3, true).send(1).send(2, LEASE).send(3);
        QueueFigures figures = new QueueFigures(1, 1, 1, sent, 3, 0, 0, 0, 0);
        says(figures, waiting(1, sent), waiting(2, sent.plus(LEASE)), scene.row(3, JOBS, 1, 0, null));

        holds();
    }

    @Test
    void expiredMessageIsCountedTwice() {
        scene.queue(3, true).send(1).after(Duration.ofDays(5)).lastLook();
        says(new QueueFigures(0, 0, 0, null, 1, 0, 0, 0, 2));

        breaks("1 came in");
    }

    @Test
    void expiredMessageIsCountedTwiceAndCameInTwice() {
        scene.queue(3, true).send(1).after(Duration.ofDays(5)).lastLook();
        says(new QueueFigures(0, 0, 0, null, 2, 0, 0, 0, 2));

        breaks("1 of its messages can have expired");
    }

    @Test
    void messageThatWasDoneIsCountedAsExpired() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN).done(1, TOKEN);
        scene.after(Duration.ofDays(5)).lastLook();
        says(new QueueFigures(0, 0, 0, null, 1, 0, 0, 0, 1));

        breaks("0 of its messages can have expired");
    }

    @Test
    void messageThatWasDiscardedIsCountedAsExpired() {
        scene.queue(3, true).send(1);
        scene.commit(new QueueCommit.Discard(ACME, JOBS, Scene.message(1)), new Outcome.Changed(1));
        scene.after(Duration.ofDays(5)).lastLook();
        says(new QueueFigures(0, 0, 0, null, 1, 0, 0, 0, 1));

        breaks("0 of its messages can have expired");
    }

    @Test
    void queueTookInMoreThanWasSent() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN).done(1, TOKEN).lastLook();
        says(new QueueFigures(0, 0, 0, null, 2, 2, 0, 0, 0));

        breaks("1 sends and 0 redrives were asked for, and it took in 2");
    }

    @Test
    void redriveComesInAgain() {
        rejected();
        scene.commit(new QueueCommit.Redrive(ACME, JOBS.deadLetters(), Scene.message(1)), new Outcome.Changed(1));
        scene.deliver(scene.row(1, JOBS, 1, 1, null), OTHER_TOKEN)
                .done(1, OTHER_TOKEN)
                .lastLook();
        says(new QueueFigures(0, 0, 0, null, 2, 1, 0, 1, 0));
        scene.holds(JOBS.deadLetters(), 1);

        holds();
    }

    @Test
    void moreCameAmongTheDeadLettersThanWereGivenUp() {
        rejected();
        scene.lastLook();
        says(new QueueFigures(0, 0, 0, null, 1, 0, 0, 1, 0));
        scene.holds(JOBS.deadLetters(), 2);

        breaks("it gave up 1 messages, and 2 came among its dead letters");
    }

    @Test
    void messageIsCountedAsGivenBackAndNobodyDid() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN).done(1, TOKEN).lastLook();
        says(new QueueFigures(0, 0, 0, null, 1, 1, 1, 0, 0));

        breaks("given back 0 to 0 times");
    }

    @Test
    void messageThatWasGivenBackIsNotCounted() {
        scene.queue(3, true).send(1).deliver(1, 1, TOKEN);
        scene.settle(1, TOKEN, new Verdict.Retry(Duration.ZERO, "e"), new Outcome.Settled(Fate.RETRIED));
        scene.lastLook();
        says(new QueueFigures(1, 0, 0, scene.now(), 1, 0, 0, 0, 0), waiting(1, scene.now()));

        breaks("given back 1 to 1 times");
    }

    private void says(QueueFigures figures, MessageRow... rows) {
        scene.note(new Fact.QueueRead(ACME, JOBS, List.of(rows), figures));
    }

    private MessageRow waiting(int message, Instant ready) {
        return MessageRows.waiting(scene.row(message, JOBS, 0, 0, null), ready);
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
