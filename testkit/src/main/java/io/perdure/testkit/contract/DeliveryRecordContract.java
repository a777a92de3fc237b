package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Extend;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Received.Delivery;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.DeadLetter.Reason;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a message and its dead letter say of the deliveries before. */
abstract class DeliveryRecordContract extends StoreFixture {
    private static final QueueName LETTERS = QUEUE.deadLetters();

    DeliveryRecordContract(StoreFactory factory) {
        super(factory);
    }

    @BeforeEach
    final void makeQueue() {
        createQueue();
    }

    private void redrive(MessageId id) {
        assertThat(commit(new Redrive(TENANT, LETTERS, id))).isEqualTo(new Outcome.Changed(1));
    }

    private static void delivered(MessageRow row, Instant first, Instant last) {
        assertThat(row.firstDelivered()).as("first delivery").isEqualTo(first);
        assertThat(row.lastDelivered()).as("last delivery").isEqualTo(last);
    }

    @Test
    final void aMessageThatWasNeverDeliveredHasNoDeliveries() {
        MessageRow row = message(QUEUE, sent());
        assertThat(row.firstDelivered()).isNull();
        assertThat(row.lastDelivered()).isNull();
    }

    @Test
    final void theFirstDeliveryIsAlsoTheLast() {
        MessageId id = sent();
        clock.move(MINUTE);
        delivered(receiveOnly().message(), NOON.plus(MINUTE), NOON.plus(MINUTE));
        delivered(message(QUEUE, id), NOON.plus(MINUTE), NOON.plus(MINUTE));
    }

    @Test
    final void aRetryKeepsTheFirstDeliveryAndMovesTheLast() {
        sent();
        fate(retry(receiveOnly(), HOUR));
        clock.move(HOUR);
        delivered(receiveOnly().message(), NOON, NOON.plus(HOUR));
    }

    @Test
    final void aLapseKeepsTheFirstDeliveryAndMovesTheLast() {
        MessageId id = sent();
        receiveOnly();
        clock.move(LEASE);
        receiveOnly();
        delivered(message(QUEUE, id), NOON, NOON.plus(LEASE));
    }

    @Test
    final void anExtensionIsNoDelivery() {
        MessageId id = sent();
        Delivery delivery = receiveOnly();
        clock.move(LEASE.dividedBy(2));
        store.extend(List.of(new Extend(TENANT, delivery.receipt(), HOUR)));
        delivered(message(QUEUE, id), NOON, NOON);
    }

    @Test
    final void aDeadLetterKeepsFirstAndLastDeliveryHoweverOftenItIsLookedAt() {
        MessageId id = sent();
        fate(retry(receiveOnly(), HOUR));
        clock.move(HOUR);
        fate(reject(receiveOnly()));
        delivered(message(LETTERS, id), NOON, NOON.plus(HOUR));
        for (int look = 1; look <= 3; look++) {
            clock.move(HOUR);
            MessageRow letter = receiveOnly(LETTERS).message();
            delivered(letter, NOON, NOON.plus(HOUR));
            assertThat(letter.deliveries()).isEqualTo(look);
            assertThat(letter.deadLetter()).isEqualTo(new DeadLetter(QUEUE, Reason.REJECTED, NOON.plus(HOUR), 2));
        }
    }

    @Test
    final void aRedriveKeepsTheFirstDeliveryAndTheNextOneMovesTheLast() {
        MessageId id = deadLetter(newMail());
        receiveOnly(LETTERS);
        clock.move(HOUR);
        redrive(id);
        delivered(message(QUEUE, id), NOON, NOON);
        delivered(receiveOnly().message(), NOON, NOON.plus(HOUR));
    }

    @Test
    final void aMessageThatIsGivenUpByAReceiveWasNotDeliveredByIt() {
        MessageId id = sent();
        int deliveries = QueueSettings.defaults().deliveries();
        for (int delivery = 0; delivery < deliveries; delivery++) {
            receiveOnly();
            clock.move(LEASE);
        }
        assertThat(received(1)).isEmpty();
        MessageRow letter = message(LETTERS, id);
        delivered(letter, NOON, NOON.plus(LEASE.multipliedBy(deliveries - 1)));
        assertThat(letter.deadLetter())
                .isEqualTo(new DeadLetter(
                        QUEUE, Reason.DELIVERIES_USED_UP, NOON.plus(LEASE.multipliedBy(deliveries)), deliveries));
        assertThat(letter.deliveries()).isZero();
    }

    @Test
    final void deliveriesAddUpOverTwoRedrives() {
        MessageId id = sent();
        fate(retry(receiveOnly(), Duration.ZERO));
        fate(reject(receiveOnly()));
        gaveUpAfter(id, 2, 0);
        receiveOnly(LETTERS);
        redrive(id);

        for (int delivery = 1; delivery <= 3; delivery++) {
            MessageRow row = receiveOnly().message();
            assertThat(row.deliveries()).isEqualTo(delivery);
            assertThat(row.earlierDeliveries()).isEqualTo(2);
            clock.move(LEASE);
        }
        fate(reject(receiveOnly()));
        gaveUpAfter(id, 4, 2);
        redrive(id);

        MessageRow row = message(QUEUE, id);
        assertThat(row.deliveries()).isZero();
        assertThat(row.earlierDeliveries()).isEqualTo(6);
        fate(reject(receiveOnly()));
        gaveUpAfter(id, 1, 6);
    }

    private void gaveUpAfter(MessageId id, int deliveries, int earlier) {
        MessageRow letter = message(LETTERS, id);
        assertThat(Objects.requireNonNull(letter.deadLetter()).deliveries()).isEqualTo(deliveries);
        assertThat(letter.earlierDeliveries()).isEqualTo(earlier);
        assertThat(letter.deliveries()).isZero();
    }

    @Test
    final void aReleasedDeliveryIsNotAmongThoseThatADeadLetterNames() {
        MessageId id = sent();
        fate(settle(receiveOnly(), new Verdict.Release()));
        fate(reject(receiveOnly()));
        gaveUpAfter(id, 1, 0);
    }

    @Test
    final void deliveriesOfADeadLetterAreNotAmongTheEarlierOnes() {
        MessageId id = deadLetter(newMail());
        for (int look = 0; look < 5; look++) {
            receiveOnly(LETTERS);
            clock.move(LEASE);
        }
        redrive(id);
        assertThat(message(QUEUE, id).earlierDeliveries()).isEqualTo(1);
        assertThat(receiveOnly().message().deliveries()).isEqualTo(1);
    }
}
