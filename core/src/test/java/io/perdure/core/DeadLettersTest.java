package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.DeadLetter.Reason;
import io.perdure.sdk.queue.DeadLetters;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.Discarded;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueuedMessage;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.queue.Redriven;
import io.perdure.sdk.queue.RejectMessageException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a queue has given up, and what can be done about it. */
class DeadLettersTest extends PerdureFixture {
    private final DeadLetters dead = mail.deadLetters();

    private MessageId die(Outgoing message) {
        MessageId id = mail.send(message).id();
        receiveOne(mail).reject("no such address");
        time.pass(Duration.ofMillis(1));
        return id;
    }

    private MessageId die(int number) {
        return die(Outgoing.of(Json.number(number)));
    }

    private List<String> bodies() {
        return mail.receive(Receiving.upTo(100)).stream()
                .map(delivery -> delivery.body().text())
                .toList();
    }

    @Test
    void aDeadLetterIsShownWithWhatItWentThrough() {
        MessageId id = mail.send(BODY).id();
        receiveOne(mail).retry();
        receiveOne(mail).reject("no such address");

        QueuedMessage shown = dead.list(10).messages().getFirst();

        assertThat(shown.id()).isEqualTo(id);
        assertThat(shown.attempts()).isZero();
        assertThat(shown.lastError()).contains("no such address");
        assertThat(shown.deadLetter().orElseThrow().origin()).isEqualTo(mail.name());
        assertThat(shown.deadLetter().orElseThrow().reason()).isEqualTo(Reason.REJECTED);
        assertThat(shown.deadLetter().orElseThrow().deliveries()).isEqualTo(2);
        assertThat(dead.queue().name()).isEqualTo(mail.name().deadLetters());
    }

    @Test
    void theyAreListedInPages() {
        die(1);
        die(2);
        die(3);

        var first = dead.list(2);
        assertThat(first.messages()).hasSize(2);
        assertThat(dead.list(2, String.valueOf(first.next())).messages())
                .extracting(message -> message.body().text())
                .containsExactly("3");
    }

    @Test
    void aRedrivenMessageHasAllItsDeliveriesBeforeItAndItsPastBehindIt() {
        MessageId id = die(1);

        dead.redrive(id);

        Delivery again = receiveOne(mail);
        assertThat(again.attempts()).isEqualTo(1);
        assertThat(again.earlierAttempts()).isEqualTo(1);
        assertThat(again.lastError()).contains("no such address");
        assertThat(again.firstDelivered().orElseThrow())
                .isBefore(again.lastDelivered().orElseThrow());
        assertThat(again.deadLetter()).isEmpty();
        assertCode(ErrorCode.NO_SUCH_MESSAGE, () -> dead.redrive(id));
    }

    @Test
    void ofManyThatAreRedrivenThoseThatWereNotThereAreNamed() {
        MessageId one = die(1);
        MessageId two = die(2);
        MessageId never = time.ids().messageId();

        assertThat(dead.redrive(List.of(two, never, one))).isEqualTo(new Redriven(2, List.of(never)));
        assertThat(dead.redrive(List.of())).isEqualTo(new Redriven(0, List.of()));
        assertThat(mail.receive()).hasSize(2);
    }

    @Test
    void allAreRedrivenInTheOrderTheyWereGivenUp() {
        IntStream.range(0, 5)
                .forEach(number -> die(Outgoing.of(Json.number(number)).group("g")));

        assertThat(dead.redriveAll()).isEqualTo(5);
        assertThat(dead.redriveAll()).isZero();

        for (int number = 0; number < 5; number++) {
            Delivery delivery = receiveOne(mail);
            assertThat(delivery.body()).isEqualTo(Json.number(number));
            delivery.ack();
        }
    }

    @Test
    void moreThanOneLookHoldsAreRedrivenOnce() {
        for (int sent = 0; sent < 1_200; sent += 100) {
            mail.sendAll(IntStream.range(0, 100)
                    .mapToObj(number -> Outgoing.of(Json.number(number)))
                    .toList());
            mail.receive(Receiving.upTo(100)).forEach(delivery -> delivery.reject("no"));
        }

        assertThat(dead.redriveAll()).isEqualTo(1_200);
        assertThat(figures("mail.dlq").ready()).isZero();
        assertThat(figures("mail").ready()).isEqualTo(1_200);
    }

    @Test
    void whatDiesAgainMeanwhileIsNotRedrivenAgain() {
        for (int sent = 0; sent < 600; sent += 100) {
            mail.sendAll(IntStream.range(0, 100)
                    .mapToObj(number -> Outgoing.of(Json.number(number)))
                    .toList());
            mail.receive(Receiving.upTo(100)).forEach(delivery -> delivery.reject("no"));
        }
        QueueConsumer consumer = perdure.consume("mail", _ -> {
            time.pass(Duration.ofMillis(1));
            throw new RejectMessageException("never");
        });

        assertThat(dead.redriveAll()).isEqualTo(600);

        ConsumerFixture.until(() -> consumer.figures().rejected() == 600);
        assertThat(figures("mail").in()).isEqualTo(1_200);
        assertThat(figures("mail.dlq").ready()).isEqualTo(600);
    }

    @Test
    void onlyThoseThatContainThePartAreRedriven() {
        die(Outgoing.of(Json.of("{\"a\":1,\"b\":1}")));
        die(Outgoing.of(Json.of("{\"a\":2}")));

        assertThat(dead.redriveAll(Json.of("{\"a\":1}"))).isEqualTo(1);

        assertThat(bodies()).containsExactly("{\"a\":1,\"b\":1}");
        assertThat(figures("mail.dlq").ready()).isEqualTo(1);
    }

    @Test
    void whoeverLooksAtADeadLetterComesTooLateWhenItIsRedriven() {
        MessageId id = die(1);
        Delivery looking = receiveOne(dead.queue());

        dead.redrive(id);

        assertCode(ErrorCode.LEASE_LOST, looking::ack);
        assertThat(mail.receive()).hasSize(1);
    }

    @Test
    void whatIsDiscardedIsGone() {
        MessageId one = die(1);
        MessageId two = die(2);
        die(3);

        dead.discard(one);
        assertCode(ErrorCode.NO_SUCH_MESSAGE, () -> dead.discard(one));
        assertThat(dead.discard(List.of(one, two))).isEqualTo(new Discarded(1, List.of(one)));
        assertThat(dead.discardAll()).isEqualTo(1);

        assertThat(dead.list(10).messages()).isEmpty();
        assertThat(dead.redriveAll()).isZero();
    }
}
