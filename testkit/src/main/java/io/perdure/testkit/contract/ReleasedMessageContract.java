package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Received.Delivery;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that go back unbegun: as if they had not been delivered. */
abstract class ReleasedMessageContract extends StoreFixture {
    private static final QueueName LETTERS = QUEUE.deadLetters();

    ReleasedMessageContract(StoreFactory factory) {
        super(factory);
    }

    @BeforeEach
    final void makeQueue() {
        createQueue();
    }

    private static Settle release(Delivery delivery) {
        return settle(delivery, new Verdict.Release());
    }

    private void released(Delivery delivery) {
        assertThat(fate(release(delivery))).isEqualTo(Fate.RELEASED);
    }

    @Test
    final void aReleasedMessageIsReadyAtOnce() {
        MessageId id = sent();
        Delivery delivery = receiveOnly();
        clock.move(LEASE.dividedBy(2));
        released(delivery);
        MessageRow row = message(QUEUE, id);
        assertThat(row.leased()).isFalse();
        assertThat(row.readyAt()).isEqualTo(NOON.plus(LEASE.dividedBy(2)));
        assertThat(received(1)).containsExactly(id);
    }

    @Test
    final void aReleasedDeliveryDoesNotCount() {
        MessageId id = sent();
        released(receiveOnly());
        assertThat(message(QUEUE, id).deliveries()).isZero();
        assertThat(receiveOnly().message().deliveries()).isEqualTo(1);
    }

    @Test
    final void noNumberOfReleasesWearsAMessageOut() {
        MessageId id = sent();
        for (int time = 0; time < 3 * QueueSettings.defaults().deliveries(); time++) {
            Delivery delivery = receiveOnly();
            assertThat(delivery.message().deliveries()).isEqualTo(1);
            released(delivery);
        }
        assertThat(received(1)).containsExactly(id);
    }

    @Test
    final void theLastDeliveryCanBeReleasedAndComesAgain() {
        MessageId id = sent();
        int deliveries = QueueSettings.defaults().deliveries();
        for (int delivery = 1; delivery < deliveries; delivery++) {
            fate(retry(receiveOnly(), Duration.ZERO));
        }
        released(receiveOnly());
        Delivery last = receiveOnly();
        assertThat(last.message().deliveries()).isEqualTo(deliveries);
        assertThat(fate(retry(last, Duration.ZERO))).isEqualTo(Fate.DEAD_LETTERED);
        assertThat(messages(LETTERS)).extracting(MessageRow::id).containsExactly(id);
    }

    @Test
    final void aReleaseIsNoRetryInTheFigures() {
        sent();
        released(receiveOnly());
        assertThat(store.figures(TENANT, QUEUE)).contains(new QueueFigures(1, 0, 0, NOON, 1, 0, 0, 0, 0));
    }

    @Test
    final void aReleasedHeadKeepsItsPlaceInItsGroup() {
        MessageId head = sent(newMail().group("g"));
        MessageId next = sent(newMail().group("g"));
        released(receiveOnly());
        assertThat(message(QUEUE, head).groupSeq()).isEqualTo(1);
        Delivery again = receiveOnly();
        assertThat(again.message().id()).isEqualTo(head);
        fate(done(again));
        assertThat(received(10)).containsExactly(next);
    }

    @Test
    final void aReleaseKeepsTheErrorOfTheRetryBefore() {
        MessageId id = sent();
        fate(retry(receiveOnly(), Duration.ZERO));
        released(receiveOnly());
        MessageRow row = message(QUEUE, id);
        assertThat(row.lastError()).isEqualTo("not now");
        assertThat(row.deliveries()).isEqualTo(1);
    }

    @Test
    final void aReleaseDoesNotKeepAMessageLonger() {
        MessageId id = sent();
        var expiresAt = message(QUEUE, id).expiresAt();
        clock.move(HOUR);
        released(receiveOnly());
        assertThat(message(QUEUE, id).expiresAt()).isEqualTo(expiresAt);
    }

    @Test
    final void aReleaseWithAForeignTokenIsLost() {
        MessageId id = sent();
        Delivery delivery = receiveOnly();
        leaseLost(new Settle(TENANT, new Receipt(id, ids.token()), new Verdict.Release()));
        assertThat(message(QUEUE, id).leased()).isTrue();
        assertThat(message(QUEUE, id).deliveries()).isEqualTo(1);
        released(delivery);
    }

    @Test
    final void aReleaseAfterAnotherReceivedTheMessageIsLost() {
        MessageId id = sent();
        Delivery before = receiveOnly();
        clock.move(LEASE);
        receiveOnly();
        leaseLost(release(before));
        assertThat(message(QUEUE, id).deliveries()).isEqualTo(2);
    }

    @Test
    final void aMessageIsReleasedOnce() {
        sent();
        Delivery delivery = receiveOnly();
        released(delivery);
        leaseLost(release(delivery));
        assertThat(store.extend(List.of(new Extend(TENANT, delivery.receipt(), MINUTE))))
                .containsExactly(new Extended.Lost(null));
    }

    @Test
    final void aLeaseThatRanOutCanStillBeReleased() {
        MessageId id = sent();
        Delivery delivery = receiveOnly();
        clock.move(HOUR);
        released(delivery);
        assertThat(message(QUEUE, id).deliveries()).isZero();
        assertThat(message(QUEUE, id).readyAt()).isEqualTo(NOON.plus(HOUR));
    }

    @Test
    final void aReleasedDeadLetterIsReadyAtOnceAmongTheDeadLetters() {
        MessageId id = deadLetter(newMail());
        MessageRow before = message(LETTERS, id);
        released(receiveOnly(LETTERS));
        assertThat(message(LETTERS, id)).isEqualTo(before);
        assertThat(receiveOnly(LETTERS).message().id()).isEqualTo(id);
    }

    @Test
    final void aReleaseLeavesFirstAndLastDeliveryAsTheyWere() {
        MessageId id = sent();
        clock.move(MINUTE);
        released(receiveOnly());
        MessageRow row = message(QUEUE, id);
        assertThat(row.firstDelivered()).isEqualTo(NOON.plus(MINUTE));
        assertThat(row.lastDelivered()).isEqualTo(NOON.plus(MINUTE));
    }

    @Test
    final void messagesLeaveWithAReleaseToo() {
        MessageId id = sent();
        NewMessage next = newMail().message();
        assertThat(commit(new Settle(TENANT, receiveOnly().receipt(), new Verdict.Release(), List.of(next))))
                .isEqualTo(new Outcome.Settled(Fate.RELEASED, List.of(new SentMessage(next.id(), true))));
        assertThat(received(10)).containsExactlyInAnyOrder(id, next.id());
    }
}
