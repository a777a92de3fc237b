package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageRow;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Outcome.Sent;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.SentMessage;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How messages get into queues. */
abstract class SendContract extends StoreFixture {
    private static final Duration WINDOW = Limits.defaults().queues().deduplicationWindow();

    SendContract(StoreFactory factory) {
        super(factory);
    }

    @BeforeEach
    final void makeQueues() {
        createQueue();
        createQueue(OTHER_QUEUE, QueueSettings.defaults());
    }

    @Test
    final void everythingThatWasSentIsKept() {
        NewMessage sent = newMail()
                .body("{\"n\":1.00}")
                .headers(Map.of("trace", "00-ab", "名", "значение"))
                .delay(MINUTE)
                .group("order 42")
                .message();
        commit(new Send(TENANT, List.of(sent)));

        assertThat(messages(QUEUE))
                .containsExactly(new MessageRow(
                        sent.id(),
                        QUEUE,
                        sent.body(),
                        sent.headers(),
                        sent.group(),
                        1,
                        NOON,
                        NOON.plus(MINUTE),
                        NOON.plus(MINUTE).plus(QueueSettings.defaults().retention()),
                        false,
                        0,
                        0,
                        null,
                        null,
                        null,
                        null));
    }

    @Test
    final void aMessageWithoutAGroupHasNoPlaceInOne() {
        sent();
        assertThat(messages(QUEUE).getFirst().group()).isNull();
        assertThat(messages(QUEUE).getFirst().groupSeq()).isZero();
    }

    @Test
    final void theAnswersComeInTheOrderOfTheMessages() {
        NewMail first = newMail();
        NewMail second = newMail().queue(OTHER_QUEUE);
        NewMail third = newMail();
        assertThat(commit(sendAll(third, second, first)))
                .isEqualTo(new Sent(List.of(
                        new SentMessage(third.message().id(), true),
                        new SentMessage(second.message().id(), true),
                        new SentMessage(first.message().id(), true))));
    }

    @Test
    final void messagesOfOneSendGoAllOrNone() {
        var missing = new QueueName("missing");
        refused(Refusal.NO_SUCH_QUEUE, sendAll(newMail(), newMail().queue(missing), newMail()));
        assertThat(messages(QUEUE)).isEmpty();
    }

    @Test
    final void aSendThatIsRefusedLeavesItsDeduplicationIdsFree() {
        var missing = new QueueName("missing");
        refused(
                Refusal.NO_SUCH_QUEUE,
                sendAll(newMail().deduplicationId("d"), newMail().queue(missing)));
        NewMail mail = newMail().deduplicationId("d");
        assertThat(sent(mail)).isEqualTo(mail.message().id());
    }

    @Test
    final void aDelayedMessageIsNeverDeliveredBeforeItIsDue() {
        MessageId id = sent(newMail().delay(HOUR));
        assertThat(received(1)).isEmpty();
        clock.move(HOUR.minus(MOMENT));
        assertThat(received(1)).isEmpty();
        clock.move(MOMENT);
        assertThat(received(1)).containsExactly(id);
    }

    @Test
    final void aRepeatedSendAnswersWithTheFirstMessageAndAddsNone() {
        MessageId first = sent(newMail().deduplicationId("d"));
        clock.move(WINDOW.minus(MOMENT));
        assertThat(commit(newMail().deduplicationId("d").send(TENANT)))
                .isEqualTo(new Sent(List.of(new SentMessage(first, false))));
        assertThat(messages(QUEUE)).hasSize(1);
    }

    @Test
    final void aDeduplicationIdIsFreeWhenItsWindowIsOver() {
        MessageId first = sent(newMail().deduplicationId("d"));
        clock.move(WINDOW);
        NewMail again = newMail().deduplicationId("d");
        assertThat(commit(again.send(TENANT)))
                .isEqualTo(new Sent(List.of(new SentMessage(again.message().id(), true))));
        assertThat(messages(QUEUE))
                .extracting(MessageRow::id)
                .containsExactly(first, again.message().id());
    }

    @Test
    final void aRepeatedSendDoesNotProlongTheWindow() {
        sent(newMail().deduplicationId("d"));
        clock.move(WINDOW.minus(MOMENT));
        sent(newMail().deduplicationId("d"));
        clock.move(MOMENT);
        NewMail again = newMail().deduplicationId("d");
        assertThat(sent(again)).isEqualTo(again.message().id());
    }

    @Test
    final void aDeduplicationIdIsKnownAfterItsMessageIsDone() {
        MessageId first = sent(newMail().deduplicationId("d"));
        fate(done(receiveOnly()));
        assertThat(commit(newMail().deduplicationId("d").send(TENANT)))
                .isEqualTo(new Sent(List.of(new SentMessage(first, false))));
        assertThat(messages(QUEUE)).isEmpty();
    }

    @Test
    final void deduplicationIdsArePerQueue() {
        sent(newMail().deduplicationId("d"));
        NewMail other = newMail().queue(OTHER_QUEUE).deduplicationId("d");
        assertThat(sent(other)).isEqualTo(other.message().id());
    }

    @Test
    final void deduplicationWorksWithinOneSend() {
        NewMail first = newMail().deduplicationId("d");
        NewMail second = newMail().deduplicationId("d");
        assertThat(commit(sendAll(first, second)))
                .isEqualTo(new Sent(List.of(
                        new SentMessage(first.message().id(), true),
                        new SentMessage(first.message().id(), false))));
    }

    @Test
    final void aMessageIdInUseStandsForTheMessageThatHasIt() {
        NewMail mail = newMail().body("1");
        commit(mail.send(TENANT));
        assertThat(commit(mail.body("2").send(TENANT)))
                .isEqualTo(new Sent(List.of(new SentMessage(mail.message().id(), false))));
        assertThat(messages(QUEUE)).extracting(row -> row.body().text()).containsExactly("1");
    }

    @Test
    final void messagesThatAStepSendsAreDeduplicatedToo() {
        MessageId first = sent(newMail().deduplicationId("d"));
        Holder holder = startedAndHeld();
        appended(holder.appendsAndSends(
                1, Events.step("a"), newMail().deduplicationId("d").message()));
        assertThat(messages(QUEUE)).extracting(MessageRow::id).containsExactly(first);
    }

    @Test
    final void aMessageOfThePermittedSizeTravelsWhole() {
        String text = "x".repeat(Limits.defaults().queues().messageBytes() - 2);
        sent(newMail().body('"' + text + '"'));
        assertThat(receiveOnly().message().body().text()).isEqualTo('"' + text + '"');
        expect(Outcome.Sent.class, newMail().send(TENANT));
    }

    @Test
    final void aDelayThatTheQueueDoesNotAllowIsRefused() {
        refused(
                Refusal.DELAY_TOO_LONG,
                newMail()
                        .delay(QueueSettings.defaults().maxDelay().plusMillis(1))
                        .send(TENANT));
        assertThat(messages(QUEUE)).isEmpty();
        sent(newMail().delay(QueueSettings.defaults().maxDelay()));
    }

    @Test
    final void aMessageMayBearTheIdOfARun() {
        RunId run = started();
        Send send = new Send(TENANT, List.of(new NewMessage(MessageId.of(run), QUEUE, Json.NULL)));
        assertThat(expect(Outcome.Sent.class, send).messages())
                .containsExactly(new SentMessage(MessageId.of(run), true));

        fate(done(receiveOnly()));
        assertThat(messages(QUEUE)).isEmpty();
        assertThat(due()).containsExactly(run);
    }
}
