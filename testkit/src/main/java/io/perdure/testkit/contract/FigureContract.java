package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Delete;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every transition of a message does to the figures of its queue. */
abstract class FigureContract extends FigureFixture {
    private static final QueueName LETTERS = QUEUE.deadLetters();
    private static final QueueFigures NOTHING = new QueueFigures(0, 0, 0, null, 0, 0, 0, 0, 0);

    FigureContract(StoreFactory factory) {
        super(factory);
    }

    @BeforeEach
    final void makeQueue() {
        createQueue();
    }

    private void figuresAre(QueueFigures expected) {
        assertThat(figures(QUEUE)).isEqualTo(expected);
    }

    @Test
    final void aSendIsReadyOrDelayed() {
        sent();
        sent(newMail().delay(HOUR));
        figuresAre(new QueueFigures(1, 1, 0, NOON, 2, 0, 0, 0, 0));
    }

    @Test
    final void aDelayOfNothingIsNone() {
        sent(newMail().delay(Duration.ZERO));
        figuresAre(new QueueFigures(1, 0, 0, NOON, 1, 0, 0, 0, 0));
    }

    @Test
    final void anAcknowledgementIsOutOfTheLeased() {
        sent();
        fate(done(receiveOnly()));
        figuresAre(new QueueFigures(0, 0, 0, null, 1, 1, 0, 0, 0));
    }

    @Test
    final void anAcknowledgementAfterItsLeaseIsOutOfTheReady() {
        sent();
        Delivery delivery = receiveOnly();
        clock.move(HOUR);
        figuresAre(new QueueFigures(1, 0, 0, NOON.plus(LEASE), 1, 0, 0, 0, 0));
        fate(done(delivery));
        figuresAre(new QueueFigures(0, 0, 0, null, 1, 1, 0, 0, 0));
    }

    @Test
    final void aSecondReceiverHoldsItInsteadOfTheFirst() {
        sent();
        receiveOnly();
        clock.move(LEASE);
        receiveOnly();
        figuresAre(new QueueFigures(0, 0, 1, null, 1, 0, 0, 0, 0));
    }

    @Test
    final void aRetryWithoutADelayIsReadyAndOneWithADelayIsDelayed() {
        sent();
        clock.move(MINUTE);
        fate(retry(receiveOnly(), Duration.ZERO));
        figuresAre(new QueueFigures(1, 0, 0, NOON.plus(MINUTE), 1, 0, 1, 0, 0));
        fate(retry(receiveOnly(), HOUR));
        figuresAre(new QueueFigures(0, 1, 0, null, 1, 0, 2, 0, 0));
    }

    @Test
    final void aReleaseIsReadyFromThenOn() {
        sent(newMail().delay(MINUTE));
        clock.move(HOUR);
        fate(settle(receiveOnly(), new Verdict.Release()));
        figuresAre(new QueueFigures(1, 0, 0, NOON.plus(HOUR), 1, 0, 0, 0, 0));
    }

    @Test
    final void whatIsDeadLetteredLeavesOneQueueAndComesIntoTheOther() {
        deadLetter(newMail());
        figuresAre(new QueueFigures(0, 0, 0, null, 1, 0, 0, 1, 0));
        assertThat(figures(LETTERS)).isEqualTo(new QueueFigures(1, 0, 0, NOON, 1, 0, 0, 0, 0));
    }

    @Test
    final void whatAReceiveGivesUpLeavesOneQueueAndComesIntoTheOther() {
        sent();
        for (int delivery = 0; delivery < QueueSettings.defaults().deliveries(); delivery++) {
            receiveOnly();
            clock.move(LEASE);
        }
        received(1);
        figuresAre(new QueueFigures(0, 0, 0, null, 1, 0, 0, 1, 0));
        assertThat(figures(LETTERS)).isEqualTo(new QueueFigures(1, 0, 0, store.now(), 1, 0, 0, 0, 0));
    }

    @Test
    final void whatIsDroppedIsCountedAsGivenUp() {
        createQueue(OTHER_QUEUE, QueueSettings.defaults().retries(0).deadLetters(false));
        sent(newMail().queue(OTHER_QUEUE));
        sent(newMail().queue(OTHER_QUEUE));
        assertThat(fate(reject(receive(OTHER_QUEUE, 1).getFirst()))).isEqualTo(Fate.DROPPED);
        assertThat(fate(retry(receiveOnly(OTHER_QUEUE), Duration.ZERO))).isEqualTo(Fate.DROPPED);
        assertThat(figures(OTHER_QUEUE)).isEqualTo(new QueueFigures(0, 0, 0, null, 2, 0, 0, 2, 0));
        assertThat(figures(OTHER_QUEUE.deadLetters())).isEqualTo(NOTHING);
    }

    @Test
    final void aDeadLetterIsLeasedRetriedAndDoneLikeAMessage() {
        deadLetter(newMail());
        Delivery delivery = receiveOnly(LETTERS);
        assertThat(figures(LETTERS)).isEqualTo(new QueueFigures(0, 0, 1, null, 1, 0, 0, 0, 0));
        fate(retry(delivery, HOUR));
        assertThat(figures(LETTERS)).isEqualTo(new QueueFigures(0, 1, 0, null, 1, 0, 1, 0, 0));
        clock.move(HOUR);
        fate(done(receiveOnly(LETTERS)));
        assertThat(figures(LETTERS)).isEqualTo(new QueueFigures(0, 0, 0, null, 1, 1, 1, 0, 0));
    }

    @Test
    final void aRedriveLeavesTheDeadLettersAndComesInAgain() {
        MessageId id = deadLetter(newMail());
        receiveOnly(LETTERS);
        clock.move(MINUTE);
        expect(Outcome.Changed.class, new Redrive(TENANT, LETTERS, id));
        figuresAre(new QueueFigures(1, 0, 0, NOON.plus(MINUTE), 2, 0, 0, 1, 0));
        assertThat(figures(LETTERS)).isEqualTo(new QueueFigures(0, 0, 0, null, 1, 1, 0, 0, 0));
    }

    @Test
    final void aDiscardTakesAMessageFromWhereverItIs() {
        MessageId ready = sent();
        MessageId delayed = sent(newMail().delay(HOUR));
        MessageId leased = receiveOnly().message().id();
        assertThat(leased).isEqualTo(ready);
        MessageId other = sent();
        expect(Outcome.Changed.class, new Discard(TENANT, QUEUE, delayed));
        figuresAre(new QueueFigures(1, 0, 1, NOON, 3, 1, 0, 0, 0));
        expect(Outcome.Changed.class, new Discard(TENANT, QUEUE, leased));
        figuresAre(new QueueFigures(1, 0, 0, NOON, 3, 2, 0, 0, 0));
        expect(Outcome.Changed.class, new Discard(TENANT, QUEUE, other));
        figuresAre(new QueueFigures(0, 0, 0, null, 3, 3, 0, 0, 0));
    }

    @Test
    final void aPurgeTakesMessagesFromWhereverTheyAre() {
        sent();
        sent(newMail().delay(HOUR));
        receiveOnly();
        sent();
        expect(Outcome.Changed.class, new Purge(TENANT, QUEUE, 10));
        figuresAre(new QueueFigures(0, 0, 0, null, 3, 3, 0, 0, 0));
        clock.move(HOUR.multipliedBy(2));
        figuresAre(new QueueFigures(0, 0, 0, null, 3, 3, 0, 0, 0));
    }

    @Test
    final void aSweepTakesWhatHasExpiredAndNothingElse() {
        sent();
        sent(newMail().delay(HOUR));
        receiveOnly();
        clock.move(QueueSettings.defaults().retention());
        sweep(Sweep.EXPIRED_MESSAGES);
        figuresAre(new QueueFigures(1, 0, 0, NOON.plus(HOUR), 2, 0, 0, 0, 1));
        clock.move(HOUR);
        sweep(Sweep.EXPIRED_MESSAGES);
        figuresAre(new QueueFigures(0, 0, 0, null, 2, 0, 0, 0, 2));
    }

    @Test
    final void aQueueThatIsDeletedAndMadeAgainHasAllFiguresAtNought() {
        sent(newMail().delay(HOUR));
        sent();
        receiveOnly();
        deadLetterOf(sent());
        commitTogether(new Purge(TENANT, QUEUE, 10), new Purge(TENANT, LETTERS, 10), new Delete(TENANT, QUEUE));
        expect(Outcome.Changed.class, new Create(TENANT, QUEUE, QueueSettings.defaults()));
        figuresAre(NOTHING);
        assertThat(figures(LETTERS)).isEqualTo(NOTHING);
        clock.move(HOUR);
        figuresAre(NOTHING);
        sent(newMail().delay(HOUR));
        figuresAre(new QueueFigures(0, 1, 0, null, 1, 0, 0, 0, 0));
    }

    private void deadLetterOf(MessageId id) {
        Delivery delivery = receiveOnly();
        assertThat(delivery.message().id()).isEqualTo(id);
        fate(reject(delivery));
    }

    @Test
    final void figuresOfOneQueueAreNotThoseOfAnotherNorOfAnotherTenant() {
        createQueue(OTHER_QUEUE, QueueSettings.defaults());
        expect(Outcome.Changed.class, new Create(OTHER_TENANT, QUEUE, QueueSettings.defaults()));
        sent(newMail().delay(HOUR));
        sent();
        receiveOnly();
        assertThat(figures(OTHER_QUEUE)).isEqualTo(NOTHING);
        assertThat(store.figures(OTHER_TENANT, QUEUE)).contains(NOTHING);
    }
}
