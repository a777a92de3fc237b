package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Batch;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.QueueCommit;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.DeadLetter.Reason;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettleTest extends PerdureFixture {
    @Test
    void whatIsAcknowledgedIsGone() {
        mail.send(BODY);
        receiveOne(mail).ack();
        time.pass(Duration.ofDays(1));

        assertThat(mail.receive()).isEmpty();
        assertThat(figures("mail").out()).isEqualTo(1);
    }

    @Test
    void aMessageComesBackWhenItsLeaseEndsAndItsAttemptsAreCounted() {
        mail.send(BODY);

        assertThat(receiveOne(mail).attempts()).isEqualTo(1);
        assertThat(mail.receive()).isEmpty();
        time.pass(Duration.ofSeconds(30));
        assertThat(receiveOne(mail).attempts()).isEqualTo(2);
    }

    @Test
    void theQueueSaysHowLongALeaseLastsUnlessTheReceiverDoes() {
        MessageQueue brisk =
                perdure.createQueue("brisk", QueueSettings.defaults().visibility(SECOND));
        brisk.send(BODY);
        brisk.send(BODY);

        assertThat(receiveOne(brisk).leasedUntil())
                .isEqualTo(time.clock().instant().plus(SECOND));
        assertThat(brisk.receive(Receiving.upTo(1).visibility(LONG)).getFirst().leasedUntil())
                .isEqualTo(time.clock().instant().plus(LONG));
    }

    @Test
    void settingsThatChangedHoldAfterFiveSecondsAndAreNotReadEveryTime() {
        QueueSettings slow = QueueSettings.defaults().visibility(Duration.ofHours(1));
        ProcessId process = time.ids().processId();
        bent.real().openLanes(process, 1);
        bent.real()
                .commit(new Batch(
                        new LaneId(process, 0),
                        1,
                        List.of(new QueueCommit.Update(TenantId.DEFAULT, mail.name(), slow))));
        mail.send(BODY);
        int reads = bent.count("queue");
        time.pass(Duration.ofSeconds(5));

        assertThat(receiveOne(mail).leasedUntil())
                .isEqualTo(time.clock().instant().plus(Duration.ofHours(1)));
        mail.receive();
        mail.receive();
        assertThat(bent.count("queue")).isEqualTo(reads + 1);
    }

    @Test
    void aReceiveIsBounded() {
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> Receiving.upTo(0));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> Receiving.upTo(101));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> Receiving.defaults().waiting(Duration.ofSeconds(21)));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> Receiving.defaults().waiting(Duration.ofSeconds(-1)));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> Receiving.defaults().visibility(Duration.ZERO));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> Receiving.defaults().visibility(Duration.ofHours(13)));
    }

    @Test
    void tenMessagesAreReceivedUnlessAnotherNumberIsAskedFor() {
        for (int i = 0; i < 15; i++) {
            mail.send(BODY);
        }

        assertThat(mail.receive()).hasSize(10);
        assertThat(mail.receive(Receiving.upTo(3))).hasSize(3);
        assertThat(mail.receive()).hasSize(2);
    }

    @Test
    void aRetryWithoutDelayIsDeliveredAgainAtOnce() {
        mail.send(BODY);

        assertThat(receiveOne(mail).retry()).isEqualTo(Fate.RETRIED);

        Delivery again = receiveOne(mail);
        assertThat(again.attempts()).isEqualTo(2);
        assertThat(again.lastError()).isEmpty();
    }

    @Test
    void aRetryComesBackAfterItsDelayWithItsError() {
        mail.send(BODY);
        receiveOne(mail).retry(SECOND, "mailbox full");

        assertThat(mail.receive()).isEmpty();
        time.pass(SECOND);
        assertThat(receiveOne(mail).lastError()).contains("mailbox full");
    }

    @Test
    void aRetryLaterThanTheQueueAllowsIsRefusedAndTheLeaseHolds() {
        MessageQueue prompt =
                perdure.createQueue("prompt", QueueSettings.defaults().maxDelay(SECOND));
        prompt.send(BODY);
        Delivery delivery = receiveOne(prompt);

        assertCode(ErrorCode.DELAY_TOO_LONG, () -> delivery.retry(LONG, ""));
        delivery.ack();
    }

    @Test
    void aMessageThatUsedUpItsDeliveriesBecomesADeadLetter() {
        MessageQueue once = perdure.createQueue("once", QueueSettings.defaults().retries(0));
        once.send(BODY);

        assertThat(receiveOne(once).retry(Duration.ZERO, "bad address")).isEqualTo(Fate.DEAD_LETTERED);

        Delivery dead = receiveOne(perdure.queue("once.dlq"));
        assertThat(dead.lastError()).contains("bad address");
        assertThat(dead.deadLetter().orElseThrow().origin()).isEqualTo(once.name());
    }

    @Test
    void aRejectedMessageIsADeadLetterAtOnce() {
        mail.send(BODY);

        assertThat(receiveOne(mail).reject("no such address")).isEqualTo(Fate.DEAD_LETTERED);

        assertThat(receiveOne(perdure.queue("mail.dlq"))
                        .deadLetter()
                        .orElseThrow()
                        .reason())
                .isEqualTo(Reason.REJECTED);
    }

    @Test
    void whereNoDeadLettersAreKeptARejectedMessageIsDropped() {
        MessageQueue careless =
                perdure.createQueue("careless", QueueSettings.defaults().deadLetters(false));
        careless.send(BODY);

        assertThat(receiveOne(careless).reject("no")).isEqualTo(Fate.DROPPED);
        assertThat(perdure.queue("careless.dlq").receive()).isEmpty();
    }

    @Test
    void aLeaseCanBeMadeLongerAndShorter() {
        mail.send(BODY);
        Delivery delivery = receiveOne(mail);

        delivery.extend(Duration.ofMinutes(5));
        assertThat(delivery.leasedUntil()).isEqualTo(time.clock().instant().plus(Duration.ofMinutes(5)));
        time.pass(Duration.ofMinutes(4));
        assertThat(mail.receive()).isEmpty();

        delivery.extend(SECOND);
        time.pass(SECOND);
        assertThat(mail.receive()).hasSize(1);
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> delivery.extend(Duration.ZERO));
    }

    @Test
    void aLeaseThatRanOutCountsUntilSomebodyElseReceives() {
        mail.send(BODY);
        Delivery late = receiveOne(mail);
        time.pass(Duration.ofMinutes(1));

        late.ack();

        assertThat(mail.receive()).isEmpty();
    }

    @Test
    void whoeverLostTheLeaseChangesNothing() {
        mail.send(BODY);
        Delivery late = receiveOne(mail);
        time.pass(Duration.ofMinutes(1));
        Delivery current = receiveOne(mail);

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(late::ack)
                .withMessageStartingWith("PD-406 Message " + late.id() + " ");
        assertCode(ErrorCode.LEASE_LOST, late::retry);
        assertCode(ErrorCode.LEASE_LOST, () -> late.reject("no"));
        assertCode(ErrorCode.LEASE_LOST, () -> late.extend(LONG));
        assertThat(current.receipt()).isNotEqualTo(late.receipt());
        current.ack();
        assertCode(ErrorCode.LEASE_LOST, current::ack);
    }

    @Test
    void aReceiptThatTravelledAsTextSettlesTheMessage() {
        mail.sendAll(List.of(Outgoing.of(Json.number(1)), Outgoing.of(Json.number(2)), Outgoing.of(Json.number(3))));
        List<Receipt> receipts = mail.receive().stream()
                .map(delivery -> Receipt.parse(delivery.receipt().toString()))
                .toList();

        mail.extend(receipts.get(0), LONG);
        mail.ack(receipts.get(0));
        assertThat(mail.retry(receipts.get(1), Duration.ZERO, "again")).isEqualTo(Fate.RETRIED);
        assertThat(mail.reject(receipts.get(2), "never")).isEqualTo(Fate.DEAD_LETTERED);
    }

    @Test
    void manyAreAcknowledgedEachOnItsOwn() {
        mail.sendAll(List.of(Outgoing.of(Json.number(1)), Outgoing.of(Json.number(2)), Outgoing.of(Json.number(3))));
        List<Delivery> deliveries = mail.receive();
        deliveries.get(1).ack();

        assertThat(mail.ackAll(deliveries)).containsExactly(deliveries.get(1).receipt());
        assertThat(figures("mail").out()).isEqualTo(3);
        assertThat(mail.ackAll(List.of())).isEmpty();
    }

    @Test
    void whatIsReleasedIsReadyAtOnceAndItsDeliveryDoesNotCount() {
        mail.send(BODY);
        receiveOne(mail).release();
        Delivery again = receiveOne(mail);
        mail.release(again.receipt());

        assertThat(receiveOne(mail).attempts()).isEqualTo(1);
        assertThat(figures("mail").retried()).isZero();
        assertCode(ErrorCode.LEASE_LOST, again::release);
        assertThat(again.isSettled()).isFalse();
    }

    @Test
    void ofManyThatAreGivenBackThoseThatWereSettledStaySo() {
        mail.sendAll(List.of(Outgoing.of(Json.number(1)), Outgoing.of(Json.number(2)), Outgoing.of(Json.number(3))));
        List<Delivery> deliveries = mail.receive();
        deliveries.getFirst().ack();
        deliveries.getLast().reject("never");

        assertThat(mail.retryAll(deliveries, Duration.ZERO, "interrupted")).isEmpty();

        assertThat(deliveries).allMatch(Delivery::isSettled);
        Delivery again = receiveOne(mail);
        assertThat(again.id()).isEqualTo(deliveries.get(1).id());
        assertThat(again.lastError()).contains("interrupted");
        assertThat(mail.receive()).isEmpty();
    }

    @Test
    void ofManyThatAreGivenBackThoseThatCameTooLateAreAnswered() {
        mail.sendAll(List.of(Outgoing.of(Json.number(1)), Outgoing.of(Json.number(2))));
        List<Delivery> deliveries = mail.receive();
        mail.ack(deliveries.getFirst().receipt());

        assertThat(mail.retryAll(deliveries, SECOND, ""))
                .containsExactly(deliveries.getFirst().receipt());

        assertThat(deliveries.getFirst().isSettled()).isFalse();
        time.pass(SECOND);
        assertThat(mail.receive()).hasSize(1);
    }

    @Test
    void manyAreGivenBackNoLaterThanTheQueueAllows() {
        MessageQueue prompt =
                perdure.createQueue("prompt", QueueSettings.defaults().maxDelay(SECOND));
        prompt.send(BODY);
        prompt.send(BODY);
        List<Delivery> deliveries = prompt.receive();

        assertCode(ErrorCode.DELAY_TOO_LONG, () -> prompt.retryAll(deliveries, LONG, ""));
        assertThat(prompt.ackAll(deliveries)).isEmpty();
    }
}
