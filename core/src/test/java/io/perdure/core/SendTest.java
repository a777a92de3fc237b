package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.queue.Sending;
import io.perdure.sdk.queue.SentMessage;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SendTest extends PerdureFixture {
    private static Outgoing numbered(int number) {
        return Outgoing.of(Json.number(number));
    }

    @Test
    void whatIsSentIsReceivedToTheLetter() {
        Json body = Json.of("{\"amount\": 1.50, \"note\": \"\\u0000\"}");
        SentMessage sent =
                mail.send(Outgoing.of(body).header("b", "2").header("a", "1").group("customer-7"));

        Delivery delivery = receiveOne(mail);

        assertThat(sent.created()).isTrue();
        assertThat(delivery.id()).isEqualTo(sent.id());
        assertThat(delivery.body()).isEqualTo(body);
        assertThat(delivery.headers()).containsExactly(Map.entry("a", "1"), Map.entry("b", "2"));
        assertThat(delivery.group()).contains(new GroupKey("customer-7"));
        assertThat(delivery.sentAt()).isEqualTo(time.clock().instant());
        assertThat(delivery.lastError()).isEmpty();
        assertThat(delivery.deadLetter()).isEmpty();
    }

    @Test
    void aDelayedMessageIsOutOfSightUntilItsTimeHasCome() {
        mail.send(Outgoing.of(BODY).delay(SECOND));

        assertThat(mail.receive()).isEmpty();
        time.pass(SECOND);
        assertThat(mail.receive()).hasSize(1);
    }

    @Test
    void aRepeatedDeduplicationIdAddsNothing() {
        Outgoing message = Outgoing.of(BODY).deduplicationId("order-42");
        SentMessage first = mail.send(message);
        SentMessage second = mail.send(message);

        assertThat(second).isEqualTo(new SentMessage(first.id(), false));
        assertThat(mail.receive()).hasSize(1);
    }

    @Test
    void messagesOfAGroupComeInTheirOrderOneAtATime() {
        mail.sendAll(List.of(numbered(1).group("g"), numbered(2).group("g")));

        Delivery first = receiveOne(mail);
        assertThat(first.body()).isEqualTo(Json.number(1));
        assertThat(mail.receive()).isEmpty();
        first.ack();
        assertThat(receiveOne(mail).body()).isEqualTo(Json.number(2));
    }

    @Test
    void manyAreSentInOrderAndAnsweredInOrder() {
        List<SentMessage> sent = mail.sendAll(
                IntStream.range(0, 100).mapToObj(SendTest::numbered).toList());

        assertThat(sent).hasSize(100).allMatch(SentMessage::created);
        assertThat(mail.receive(Receiving.upTo(100)))
                .extracting(Delivery::id)
                .containsExactlyElementsOf(sent.stream().map(SentMessage::id).toList());
    }

    @Test
    void aSendThatIsRefusedInOnePartSendsNothing() {
        assertCode(
                ErrorCode.DELAY_TOO_LONG,
                () -> mail.sendAll(List.of(numbered(1), numbered(2).delay(Duration.ofHours(13)))));

        assertThat(figures("mail").in()).isZero();
    }

    @Test
    void nothingToSendIsSentAtOnce() {
        assertThat(mail.sendAll(List.of())).isEmpty();
        assertThat(mail.sendLater(List.of()).isDone()).isTrue();
    }

    @Test
    void aSendCanGoOnWhileItsSenderDoesOtherThings() {
        Sending first = mail.sendLater(List.of(numbered(1)));
        Sending second = mail.sendLater(List.of(numbered(2), numbered(3)));

        assertThat(second.await()).hasSize(2);
        assertThat(first.await()).hasSize(1).isEqualTo(first.await());
        assertThat(first.isDone()).isTrue();
        assertThat(mail.receive()).hasSize(3);
    }

    @Test
    void whatIsWrongWithASendLaterIsToldToWhoeverWaitsForIt() {
        Sending tooLate = mail.sendLater(List.of(numbered(1).delay(Duration.ofHours(13))));

        assertCode(ErrorCode.DELAY_TOO_LONG, tooLate::await);
        assertCode(ErrorCode.DELAY_TOO_LONG, tooLate::await);
    }

    @Test
    void whatIsTooLargeOrTooMuchIsRefusedBeforeItTravels() {
        Json large = Json.string("x".repeat(128 * 1024));
        List<Outgoing> heavy = Collections.nCopies(3, Outgoing.of(Json.string("x".repeat(100 * 1024))));

        assertCode(ErrorCode.VALUE_TOO_LARGE, () -> mail.send(large));
        assertCode(ErrorCode.VALUE_TOO_LARGE, () -> mail.sendAll(heavy));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> mail.sendAll(Collections.nCopies(101, Outgoing.of(BODY))));
        assertThat(figures("mail").in()).isZero();
    }

    @Test
    void whatNoMessageCanBeIsRefusedWhenItIsMade() {
        Outgoing message = Outgoing.of(BODY);

        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> message.delay(Duration.ofSeconds(-1)));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> message.delay(Duration.ofHours(25)));
        assertCode(ErrorCode.INVALID_KEY, () -> message.group(""));
        assertCode(ErrorCode.INVALID_KEY, () -> message.deduplicationId("a\nb"));
    }

    @Test
    void deadLettersAreNotSentByUsers() {
        assertCode(ErrorCode.MALFORMED_COMMIT, () -> perdure.queue("mail.dlq").send(BODY));
    }

    @Test
    void aQueueSetsHowLongADelayMayBe() {
        assertCode(
                ErrorCode.DELAY_TOO_LONG,
                () -> perdure.createQueue("prompt", QueueSettings.defaults().maxDelay(Duration.ZERO))
                        .send(Outgoing.of(BODY).delay(SECOND)));
    }
}
