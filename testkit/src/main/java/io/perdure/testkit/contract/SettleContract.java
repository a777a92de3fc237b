package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.DeadLetter.Reason;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the holder of a message may say of it, and what becomes of the message. */
abstract class SettleContract extends StoreFixture {
    SettleContract(StoreFactory factory) {
        super(factory);
    }

    @BeforeEach
    final void makeQueue() {
        createQueue();
    }

    @Test
    final void aMessageThatIsDoneIsGone() {
        sent();
        assertThat(fate(done(receiveOnly()))).isEqualTo(Fate.DONE);
        clock.move(HOUR);
        assertThat(received(1)).isEmpty();
        assertThat(messages(QUEUE)).isEmpty();
    }

    @Test
    final void aMessageIsSettledOnce() {
        sent();
        Delivery delivery = receiveOnly();
        fate(done(delivery));
        assertThat(commit(done(delivery))).isEqualTo(new Outcome.LeaseLost(null));
        leaseLost(retry(delivery, Duration.ZERO));
    }

    @Test
    final void aRetriedMessageComesBackAfterItsDelay() {
        MessageId id = sent();
        assertThat(fate(retry(receiveOnly(), HOUR))).isEqualTo(Fate.RETRIED);
        MessageRow row = message(QUEUE, id);
        assertThat(row.readyAt()).isEqualTo(NOON.plus(HOUR));
        assertThat(row.leased()).isFalse();
        assertThat(row.lastError()).isEqualTo("not now");

        clock.move(HOUR.minus(MOMENT));
        assertThat(received(1)).isEmpty();
        clock.move(MOMENT);
        Delivery again = receiveOnly();
        assertThat(again.message().id()).isEqualTo(id);
        assertThat(again.message().deliveries()).isEqualTo(2);
        assertThat(again.message().lastError()).isEqualTo("not now");
    }

    @Test
    final void aMessageThatWasGivenBackIsNotHeldAnyMore() {
        sent();
        Delivery delivery = receiveOnly();
        fate(retry(delivery, Duration.ZERO));
        leaseLost(done(delivery));
        assertThat(messages(QUEUE)).hasSize(1);
    }

    @Test
    final void aMessageIsDeadLetteredAfterExactlyItsDeliveries() {
        MessageId id = sent();
        int deliveries = QueueSettings.defaults().deliveries();
        for (int delivery = 1; delivery < deliveries; delivery++) {
            assertThat(fate(retry(receiveOnly(), Duration.ZERO))).isEqualTo(Fate.RETRIED);
        }
        assertThat(fate(retry(receiveOnly(), Duration.ZERO))).isEqualTo(Fate.DEAD_LETTERED);
        MessageRow letter = message(QUEUE.deadLetters(), id);
        assertThat(letter.deliveries()).isZero();
        assertThat(letter.lastError()).isEqualTo("not now");
        assertThat(letter.deadLetter()).isEqualTo(new DeadLetter(QUEUE, Reason.DELIVERIES_USED_UP, NOON, deliveries));
        assertThat(messages(QUEUE)).isEmpty();
    }

    @Test
    final void aRejectedMessageIsDeadLetteredAtOnce() {
        MessageId id = sent();
        assertThat(fate(reject(receiveOnly()))).isEqualTo(Fate.DEAD_LETTERED);
        assertThat(messages(QUEUE)).isEmpty();
        assertThat(message(QUEUE.deadLetters(), id).lastError()).isEqualTo("never");
    }

    @Test
    final void aMessageThatIsGivenUpIsDroppedWhereNoDeadLettersAreKept() {
        QueueSettings defaults = QueueSettings.defaults();
        createQueue(
                OTHER_QUEUE,
                new QueueSettings(
                        defaults.visibility(),
                        0,
                        false,
                        defaults.retention(),
                        defaults.deadLetterRetention(),
                        defaults.maxDelay()));
        sent(newMail().queue(OTHER_QUEUE));
        assertThat(fate(reject(receiveOnly(OTHER_QUEUE)))).isEqualTo(Fate.DROPPED);
        sent(newMail().queue(OTHER_QUEUE));
        assertThat(fate(retry(receiveOnly(OTHER_QUEUE), HOUR))).isEqualTo(Fate.DROPPED);
        assertThat(messages(OTHER_QUEUE)).isEmpty();
        assertThat(messages(OTHER_QUEUE.deadLetters())).isEmpty();
    }

    @Test
    final void anExpiredLeaseThatNobodyReclaimedStillPasses() {
        sent();
        Delivery delivery = receiveOnly();
        clock.move(HOUR);
        assertThat(fate(done(delivery))).isEqualTo(Fate.DONE);
        assertThat(received(1)).isEmpty();
    }

    @Test
    final void aReceiptIsWorthNothingOnceTheMessageWentToAnother() {
        sent();
        Delivery before = receiveOnly();
        clock.move(LEASE);
        Delivery after = receiveOnly();
        leaseLost(done(before));
        leaseLost(retry(before, Duration.ZERO));
        leaseLost(reject(before));
        assertThat(fate(done(after))).isEqualTo(Fate.DONE);
    }

    @Test
    final void aReceiptThatIsNoneIsALostLease() {
        MessageId id = sent();
        leaseLost(new Settle(TENANT, new Receipt(id, ids.token()), new Verdict.Done()));
        leaseLost(new Settle(TENANT, new Receipt(ids.messageId(), ids.token()), new Verdict.Done()));
        assertThat(received(1)).containsExactly(id);
    }

    @Test
    final void theMessageOfARunIsOutOfReach() {
        Holder holder = startedAndHeld();
        Receipt receipt = new Receipt(MessageId.of(holder.run()), holder.token());
        leaseLost(new Settle(TENANT, receipt, new Verdict.Done()));
        leaseLost(new Settle(TENANT, receipt, new Verdict.Reject("no")));
        appended(holder.appends(1, Events.step("a")));
    }

    @Test
    final void messagesLeaveWithTheVerdict() {
        createQueue(OTHER_QUEUE, QueueSettings.defaults());
        sent();
        NewMessage next = newMail().queue(OTHER_QUEUE).message();
        fate(new Settle(TENANT, receiveOnly().receipt(), new Verdict.Done(), List.of(next)));
        assertThat(receiveOnly(OTHER_QUEUE).message().id()).isEqualTo(next.id());
    }

    @Test
    final void messagesLeaveWithARetryToo() {
        sent();
        NewMessage next = newMail().message();
        Verdict retry = new Verdict.Retry(HOUR, "not now");
        fate(new Settle(TENANT, receiveOnly().receipt(), retry, List.of(next)));
        assertThat(received(10)).containsExactly(next.id());
    }

    @Test
    final void messagesOfALostVerdictNeverLeave() {
        sent();
        Delivery delivery = receiveOnly();
        fate(done(delivery));
        leaseLost(new Settle(
                TENANT,
                delivery.receipt(),
                new Verdict.Done(),
                List.of(newMail().message())));
        assertThat(messages(QUEUE)).isEmpty();
    }

    @Test
    final void aMessageToAMissingQueueHoldsTheVerdictBack() {
        sent();
        Delivery delivery = receiveOnly();
        NewMessage stray = newMail().queue(new QueueName("missing")).message();
        refused(Refusal.NO_SUCH_QUEUE, new Settle(TENANT, delivery.receipt(), new Verdict.Done(), List.of(stray)));
        assertThat(message(QUEUE, delivery.message().id()).leased()).isTrue();
        assertThat(fate(done(delivery))).isEqualTo(Fate.DONE);
    }

    @Test
    final void errorsAreKeptToTheLetter() {
        MessageId id = sent();
        String error = "línea 1\nline 2\t\"quoted\" 🦀";
        fate(settle(receiveOnly(), new Verdict.Retry(Duration.ZERO, error)));
        assertThat(message(QUEUE, id).lastError()).isEqualTo(error);
    }

    @Test
    final void theAnswerSaysWhatBecameOfTheMessagesThatLeft() {
        sent();
        NewMessage next = newMail().message();
        Settle settle = new Settle(TENANT, receiveOnly().receipt(), new Verdict.Done(), List.of(next));
        assertThat(commit(settle)).isEqualTo(new Outcome.Settled(Fate.DONE, List.of(new SentMessage(next.id(), true))));
    }

    @Test
    final void aMessageThatIsDoneLeavesItsIdToOneThatLeavesWithIt() {
        MessageId id = sent();
        NewMessage next = new NewMail(id).body("2").message();
        assertThat(commit(new Settle(TENANT, receiveOnly().receipt(), new Verdict.Done(), List.of(next))))
                .isEqualTo(new Outcome.Settled(Fate.DONE, List.of(new SentMessage(id, true))));
        assertThat(messages(QUEUE)).hasSize(1);
        MessageRow row = receiveOnly().message();
        assertThat(row.body()).isEqualTo(next.body());
        assertThat(row.deliveries()).isEqualTo(1);
    }

    @Test
    final void aMessageThatIsGivenBackKeepsItsId() {
        MessageId id = sent(newMail().body("1"));
        NewMessage next = new NewMail(id).body("2").message();
        Verdict retry = new Verdict.Retry(Duration.ZERO, "not now");
        assertThat(commit(new Settle(TENANT, receiveOnly().receipt(), retry, List.of(next))))
                .isEqualTo(new Outcome.Settled(Fate.RETRIED, List.of(new SentMessage(id, false))));
        assertThat(messages(QUEUE)).extracting(row -> row.body().text()).containsExactly("1");
    }

    @Test
    final void aRetryWithADelayThatTheQueueDoesNotAllowIsRefused() {
        MessageId id = sent();
        Delivery delivery = receiveOnly();
        Duration over = QueueSettings.defaults().maxDelay().plusMillis(1);
        refused(Refusal.DELAY_TOO_LONG, retry(delivery, over));
        assertThat(message(QUEUE, id).leased()).isTrue();
        assertThat(fate(retry(delivery, QueueSettings.defaults().maxDelay()))).isEqualTo(Fate.RETRIED);
    }
}
