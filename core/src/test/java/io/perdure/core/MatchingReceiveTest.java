package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Receiving by content. Time stands still here unless it is moved, so that whoever is woken was woken by what the test did. */
class MatchingReceiveTest extends PerdureFixture {
    private static final Json RED = Json.of("{\"colour\":\"red\"}");
    private static final Json BLUE = Json.of("{\"colour\":\"blue\"}");

    private static Outgoing coloured(String colour, int number) {
        return Outgoing.of(Json.of("{\"colour\":\"%s\",\"number\":%s}".formatted(colour, number)));
    }

    private static Receiving red(int max) {
        return Receiving.upTo(max).matching(RED);
    }

    private void sendBlue(int count) {
        for (int sent = 0; sent < count; sent += 100) {
            mail.sendAll(IntStream.range(sent, Math.min(count, sent + 100))
                    .mapToObj(number -> coloured("blue", number))
                    .toList());
        }
    }

    private static List<String> numbers(List<Delivery> deliveries) {
        return deliveries.stream()
                .map(delivery -> delivery.body().text().replaceAll("\\D", ""))
                .collect(Collectors.toList());
    }

    @Test
    void onlyMessagesThatContainThePartAreReceivedInTheirOrder() {
        mail.sendAll(List.of(coloured("red", 1), coloured("blue", 2), coloured("red", 3), coloured("red", 4)));

        assertThat(numbers(mail.receive(red(2)))).containsExactly("1", "3");
        assertThat(numbers(mail.receive(red(10)))).containsExactly("4");
        assertThat(mail.receive(red(10))).isEmpty();
        assertThat(numbers(mail.receive())).containsExactly("2");
    }

    @Test
    void whatIsAskedForIsGatheredFromManyPages() {
        mail.send(coloured("red", 1));
        sendBlue(250);
        mail.send(coloured("red", 2));

        assertThat(numbers(mail.receive(red(10)))).containsExactly("1", "2");
    }

    @Test
    void onlyTheHeadOfAGroupCanBeAskedFor() {
        mail.sendAll(List.of(coloured("blue", 1).group("g"), coloured("red", 2).group("g")));

        assertThat(mail.receive(red(10))).isEmpty();
        receiveOne(mail).ack();
        assertThat(numbers(mail.receive(red(10)))).containsExactly("2");
    }

    @Test
    void aLookThatDoesNotWaitExaminesAThousandMessages() {
        sendBlue(1_000);
        mail.send(coloured("red", 1));
        int pages = bent.count("messages");

        assertThat(mail.receive(red(1))).isEmpty();
        assertThat(bent.count("messages") - pages).isEqualTo(10);
        mail.receive(Receiving.upTo(1)).getFirst().ack();
        assertThat(mail.receive(red(1))).hasSize(1);
    }

    @Test
    void whoWaitsGoesOnWhereItsLookStopped() throws Exception {
        sendBlue(2_500);
        mail.send(coloured("red", 1));

        assertThat(receiver(mail, red(1).waiting(LONG)).received()).hasSize(1);
    }

    @Test
    void aLookThatHasSeenEverythingRestsUntilItIsCalled() throws Exception {
        sendBlue(1_500);
        Receiver receiver = waiting(red(1));
        int pages = bent.count("messages");

        mail.send(coloured("blue", 1));
        awaitCalls("messages", pages + 16);
        time.awaitIdle(RECEIVER, 1);
        assertThat(bent.count("messages")).isEqualTo(pages + 16);

        mail.send(coloured("red", 2));
        assertThat(receiver.received()).hasSize(1);
    }

    @Test
    void whoWaitsWithAMatchIsCalledForEverythingAndOneOfTheOthers() throws Exception {
        Receiver red = waiting(red(1));
        Receiver blue = receiver(mail, Receiving.upTo(1).matching(BLUE).waiting(LONG));
        time.awaitIdle(RECEIVER, 2);
        Receiver any = receiver(mail, Receiving.upTo(1).waiting(LONG));
        time.awaitIdle(RECEIVER, 3);

        mail.send(Json.of("{\"colour\":\"green\"}"));
        assertThat(any.received()).hasSize(1);
        assertThat(any.thread().join(VirtualTime.PATIENCE)).isTrue();
        time.awaitIdle(RECEIVER, 2);

        mail.send(coloured("blue", 1));
        assertThat(blue.received()).hasSize(1);
        mail.send(coloured("red", 1));
        assertThat(red.received()).hasSize(1);
    }

    @Test
    void twoThatFindNothingDoNotCallEachOther() throws Exception {
        waiting(red(1));
        receiver(mail, Receiving.upTo(1).matching(RED).waiting(LONG));
        time.awaitIdle(RECEIVER, 2);
        int looks = bent.count("receive");

        mail.send(coloured("blue", 1));

        awaitCalls("receive", looks + 2);
        time.awaitIdle(RECEIVER, 2);
        assertThat(bent.count("receive")).isEqualTo(looks + 2);
    }

    @Test
    void whenADelayHasPassedEveryoneWithAMatchLooks() throws Exception {
        mail.send(Outgoing.of(RED).delay(SECOND));
        Receiver blue = receiver(mail, Receiving.upTo(1).matching(BLUE).waiting(LONG));
        time.awaitIdle(RECEIVER, 1);
        Receiver red = receiver(mail, red(1).waiting(LONG));
        time.awaitIdle(RECEIVER, 2);

        time.pass(SECOND.plusMillis(1));

        assertThat(red.received()).hasSize(1);
        mail.send(BLUE);
        assertThat(blue.received()).hasSize(1);
    }

    @Test
    void whereEveryHintIsLostAMessageIsFoundWithinSeconds() throws Exception {
        bent.loseHints();
        Receiver receiver = waiting(red(1));
        mail.send(RED);

        time.pass(Duration.ofSeconds(5));

        assertThat(receiver.received()).hasSize(1);
    }

    @Test
    void aLookThatFailsIsSaidToHaveFailed() throws Exception {
        Receiver receiver = waiting(red(1));
        bent.failOnce("messages", new StoreException(ErrorCode.STORE_BUSY, "Locked."));

        mail.send(RED);

        assertThat(receiver.failure().code()).isEqualTo(ErrorCode.STORE_BUSY);
        assertThat(bent.watches()).isZero();
    }

    @Test
    void whereEverybodyAsksByContentWhatIsUsedUpBecomesADeadLetter() {
        MessageQueue once = perdure.createQueue("once", QueueSettings.defaults().retries(0));
        once.sendAll(List.of(coloured("red", 1).group("g"), coloured("red", 2).group("g")));
        assertThat(once.receive(red(1).visibility(SECOND))).hasSize(1);
        time.pass(SECOND.plusMillis(1));

        assertThat(once.receive(red(1))).isEmpty();

        assertThat(once.deadLetters().count()).isEqualTo(1);
        assertThat(numbers(once.receive(red(1)))).containsExactly("2");
    }

    @Test
    void whoWaitsIsGivenTheNextOfAGroupWhoseHeadWasGivenUp() throws Exception {
        MessageQueue once = perdure.createQueue("once", QueueSettings.defaults().retries(0));
        once.sendAll(List.of(coloured("red", 1).group("g"), coloured("red", 2).group("g")));
        assertThat(once.receive(red(1).visibility(SECOND))).hasSize(1);
        Receiver receiver = receiver(once, red(1).waiting(LONG));
        time.awaitIdle(RECEIVER, 1);

        time.pass(SECOND.plusMillis(1));

        assertThat(numbers(receiver.received())).containsExactly("2");
    }

    @Test
    void aConsumerGoesOnWhereItsLastReceiveEnded() {
        sendBlue(2_500);
        mail.send(coloured("red", 1));
        // A look takes longer than a receive may, until there is something to lease.
        AtomicBoolean slow = new AtomicBoolean(true);
        bent.before("messages", () -> time.pass(slow.get() ? LONG : Duration.ZERO));
        bent.before("receive", () -> slow.set(false));
        QueueConsumer consumer =
                perdure.consume("mail", ConsumeOptions.defaults().matching(RED), _ -> {});

        ConsumerFixture.until(() -> consumer.figures().handled() == 1);
    }

    @Test
    void aConsumerLeavesNothingOutThatWasThereForMoreThanItAskedFor() {
        mail.sendAll(IntStream.range(0, 100)
                .mapToObj(number -> coloured("red", number))
                .toList());
        mail.sendAll(IntStream.range(100, 200)
                .mapToObj(number -> coloured("red", number))
                .toList());
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        perdure.consume(
                "mail",
                ConsumeOptions.defaults().concurrency(1).prefetch(0).matching(RED),
                delivery -> handled.addAll(numbers(List.of(delivery))));

        ConsumerFixture.until(() -> handled.size() == 200);
        assertThat(handled)
                .containsExactlyElementsOf(
                        IntStream.range(0, 200).mapToObj(Integer::toString).toList());
    }

    @Test
    void whatIsTooMuchToLookForIsRefused() {
        String nested = IntStream.range(0, 257).mapToObj(_ -> "{}").collect(Collectors.joining(",", "[", "]"));

        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> Receiving.defaults().matching(Json.of(nested)));
    }

    private Receiver waiting(Receiving receiving) throws InterruptedException {
        Receiver receiver = receiver(mail, receiving.waiting(LONG));
        time.awaitIdle(RECEIVER, 1);
        return receiver;
    }
}
