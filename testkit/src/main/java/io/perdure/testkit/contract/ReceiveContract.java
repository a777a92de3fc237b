package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.store.Lease;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.Received.Delivery;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.DeadLetter.Reason;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How messages are leased to those who handle them. */
abstract class ReceiveContract extends StoreFixture {
    ReceiveContract(StoreFactory factory) {
        super(factory);
    }

    @BeforeEach
    final void makeQueue() {
        createQueue();
    }

    private List<MessageId> receivedOf(Set<MessageId> only) {
        return store.receive(new Receive(TENANT, QUEUE, 10, lease(), only)).deliveries().stream()
                .map(delivery -> delivery.message().id())
                .toList();
    }

    @Test
    final void aDeliveryIsLeasedAndCounted() {
        MessageId id = sent();
        Lease lease = lease();
        Received received = store.receive(new Receive(TENANT, QUEUE, 1, lease));
        assertThat(received.deliveries()).hasSize(1);
        Delivery delivery = received.deliveries().getFirst();
        assertThat(delivery.receipt()).isEqualTo(new Receipt(id, lease.token()));
        assertThat(delivery.message().leased()).isTrue();
        assertThat(delivery.message().deliveries()).isEqualTo(1);
        assertThat(delivery.message().readyAt()).isEqualTo(NOON.plus(LEASE));
        assertThat(delivery.message()).isEqualTo(message(QUEUE, id));
    }

    @Test
    final void aMessageWithItsReceiverIsNotDeliveredAgainUntilItsLeaseEnds() {
        MessageId id = sent();
        assertThat(received(1)).containsExactly(id);
        clock.move(LEASE.minus(MOMENT));
        assertThat(received(1)).isEmpty();
        clock.move(MOMENT);
        assertThat(received(1)).containsExactly(id);
    }

    @Test
    final void everyDeliveryCounts() {
        sent();
        for (int delivery = 1; delivery <= QueueSettings.defaults().deliveries(); delivery++) {
            assertThat(receiveOnly().message().deliveries()).isEqualTo(delivery);
            clock.move(LEASE);
        }
    }

    @Test
    final void messagesComeInTheOrderTheyBecameReady() {
        MessageId late = sent(newMail().delay(HOUR));
        MessageId early = sent(newMail().delay(MINUTE));
        MessageId first = sent();
        clock.move(HOUR);
        MessageId last = sent(newMail());
        assertThat(received(2)).containsExactly(first, early);
        assertThat(received(10)).containsExactlyInAnyOrder(late, last);
    }

    @Test
    final void aReceiveTakesNoMoreThanItAskedFor() {
        sent();
        sent();
        sent();
        assertThat(received(2)).hasSize(2);
        assertThat(received(2)).hasSize(1);
        assertThat(received(2)).isEmpty();
    }

    @Test
    final void onlyTheMessagesAskedForAreDelivered() {
        sent();
        MessageId second = sent();
        MessageId third = sent();
        assertThat(receivedOf(Set.of(second, third, ids.messageId()))).containsExactlyInAnyOrder(second, third);
    }

    @Test
    final void askingForAMessageDoesNotMakeItDue() {
        MessageId delayed = sent(newMail().delay(MINUTE));
        MessageId head = sent(newMail().group("g"));
        MessageId behind = sent(newMail().group("g"));
        assertThat(receivedOf(Set.of(delayed, behind))).isEmpty();
        assertThat(receivedOf(Set.of(head, behind))).containsExactly(head);
    }

    @Test
    final void aMessageThatUsedUpItsDeliveriesIsDeadLetteredInsteadOfDelivered() {
        createQueue(OTHER_QUEUE, withRetries(1, true));
        MessageId id = sent(newMail().queue(OTHER_QUEUE));
        for (int delivery = 0; delivery < 2; delivery++) {
            assertThat(receiveOnly(OTHER_QUEUE).message().id()).isEqualTo(id);
            clock.move(LEASE);
        }
        assertThat(receive(OTHER_QUEUE, 10)).isEmpty();
        assertThat(messages(OTHER_QUEUE)).isEmpty();
        MessageRow letter = message(OTHER_QUEUE.deadLetters(), id);
        assertThat(letter.deliveries()).isZero();
        assertThat(letter.deadLetter())
                .isEqualTo(new DeadLetter(
                        OTHER_QUEUE, Reason.DELIVERIES_USED_UP, NOON.plus(LEASE).plus(LEASE), 2));
    }

    @Test
    final void aMessageThatUsedUpItsDeliveriesIsDroppedWhereNoDeadLettersAreKept() {
        createQueue(OTHER_QUEUE, withRetries(0, false));
        sent(newMail().queue(OTHER_QUEUE));
        receiveOnly(OTHER_QUEUE);
        clock.move(LEASE);
        assertThat(receive(OTHER_QUEUE, 10)).isEmpty();
        assertThat(messages(OTHER_QUEUE)).isEmpty();
        assertThat(messages(OTHER_QUEUE.deadLetters())).isEmpty();
        assertThat(store.figures(TENANT, OTHER_QUEUE).orElseThrow().deadLettered())
                .isEqualTo(1);
    }

    @Test
    final void whatIsDeadLetteredDoesNotUseUpTheRoomOfAReceive() {
        createQueue(OTHER_QUEUE, withRetries(0, true));
        sent(newMail().queue(OTHER_QUEUE));
        receiveOnly(OTHER_QUEUE);
        clock.move(LEASE);
        MessageId next = sent(newMail().queue(OTHER_QUEUE));
        assertThat(receive(OTHER_QUEUE, 1))
                .extracting(delivery -> delivery.message().id())
                .containsExactly(next);
    }

    private static QueueSettings withRetries(int retries, boolean deadLetters) {
        QueueSettings defaults = QueueSettings.defaults();
        return new QueueSettings(
                defaults.visibility(),
                retries,
                deadLetters,
                defaults.retention(),
                defaults.deadLetterRetention(),
                defaults.maxDelay());
    }

    @Test
    final void aMessageThatOutlivedItsRetentionIsNotDelivered() {
        sent();
        clock.move(QueueSettings.defaults().retention());
        assertThat(received(1)).isEmpty();
    }

    @Test
    final void aMessageIsDeliveredUntilItsRetentionIsOver() {
        MessageId id = sent();
        clock.move(QueueSettings.defaults().retention().minus(MOMENT));
        assertThat(received(1)).containsExactly(id);
    }

    @Test
    final void aReceiverMaySettleAMessageWhoseRetentionEndedMeanwhile() {
        sent();
        Duration retention = QueueSettings.defaults().retention();
        clock.move(retention.minus(MOMENT));
        Delivery delivery = receiveOnly();
        clock.move(MINUTE);
        assertThat(fate(done(delivery))).isEqualTo(Fate.DONE);
    }

    @Test
    final void aReceiveFromAQueueThatIsNotThereSaysSo() {
        assertThatThrownBy(() -> receive(new QueueName("missing"), 10))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SUCH_QUEUE));
    }

    @Test
    final void aReceiveLeavesOtherQueuesAlone() {
        createQueue(OTHER_QUEUE, QueueSettings.defaults());
        MessageId id = sent(newMail().queue(OTHER_QUEUE));
        assertThat(received(10)).isEmpty();
        assertThat(receiveOnly(OTHER_QUEUE).message().id()).isEqualTo(id);
    }

    @Test
    final void theTimeToAskAgainIsWhenTheNextMessageIsReady() {
        sent(newMail().delay(HOUR));
        sent(newMail().delay(MINUTE));
        assertThat(store.receive(new Receive(TENANT, QUEUE, 10, lease())).nextReady())
                .isEqualTo(NOON.plus(MINUTE));
        clock.move(MINUTE);
        Received received = store.receive(new Receive(TENANT, QUEUE, 10, lease()));
        assertThat(received.deliveries()).hasSize(1);
        assertThat(received.nextReady()).isEqualTo(NOON.plus(MINUTE).plus(LEASE));
    }

    @Test
    final void anEmptyQueueNamesNoTimeToAskAgain() {
        createQueue(OTHER_QUEUE, QueueSettings.defaults());
        sent(newMail().queue(OTHER_QUEUE).delay(HOUR));
        assertThat(store.receive(new Receive(TENANT, QUEUE, 10, lease())).nextReady())
                .isNull();
    }
}
