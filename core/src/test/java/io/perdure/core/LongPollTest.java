package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Time stands still here unless it is moved, so that whoever is woken was woken by what the test did. */
class LongPollTest extends PerdureFixture {
    @Test
    void aReceiverIsWokenByASend() throws Exception {
        Receiver receiver = waitingReceiver();

        mail.send(BODY);

        assertThat(receiver.received()).hasSize(1);
    }

    @Test
    void messagesThatAreThereAreReceivedWithoutWaitingOrWatching() {
        mail.send(BODY);

        assertThat(mail.receive(Receiving.defaults().waiting(LONG))).hasSize(1);
        assertThat(bent.count("receive")).isEqualTo(1);
        assertThat(bent.count("watch")).isZero();
    }

    @Test
    void aReceiverIsWokenByARetry() throws Exception {
        mail.send(BODY);
        Delivery delivery = receiveOne(mail);
        Receiver receiver = waitingReceiver();

        delivery.retry();

        assertThat(receiver.received().getFirst().attempts()).isEqualTo(2);
    }

    @Test
    void aReceiverIsWokenWhenADelayHasPassed() throws Exception {
        mail.send(Outgoing.of(BODY).delay(SECOND));
        Receiver receiver = waitingReceiver();

        time.pass(SECOND.plusMillis(1));

        assertThat(receiver.received()).hasSize(1);
    }

    @Test
    void aReceiverIsWokenByADelayThatBeganWhileItWaited() throws Exception {
        Receiver receiver = waitingReceiver();
        int looks = bent.count("receive");
        mail.send(Outgoing.of(BODY).delay(SECOND));
        awaitLooks(looks + 1);

        time.pass(SECOND.plusMillis(1));

        assertThat(receiver.received()).hasSize(1);
    }

    @Test
    void aReceiverIsWokenByARetryWithADelay() throws Exception {
        mail.send(BODY);
        Delivery delivery = receiveOne(mail);
        Receiver receiver = waitingReceiver();
        int looks = bent.count("receive");
        delivery.retry(SECOND, "");
        awaitLooks(looks + 1);

        time.pass(SECOND.plusMillis(1));

        assertThat(receiver.received().getFirst().attempts()).isEqualTo(2);
    }

    @Test
    void aReceiverIsWokenWhenTheLeaseOfAnotherEnds() throws Exception {
        mail.send(BODY);
        mail.receive(Receiving.upTo(1).visibility(SECOND));
        Receiver receiver = waitingReceiver();

        time.pass(SECOND.plusMillis(1));

        assertThat(receiver.received().getFirst().attempts()).isEqualTo(2);
    }

    @Test
    void aReceiverIsWokenWhenALeaseIsCutShort() throws Exception {
        mail.send(BODY);
        Delivery delivery = receiveOne(mail);
        Receiver receiver = waitingReceiver();
        int looks = bent.count("receive");
        delivery.extend(SECOND);
        awaitLooks(looks + 1);

        time.pass(SECOND.plusMillis(1));

        assertThat(receiver.received()).hasSize(1);
    }

    @Test
    void aReceiverIsWokenWhenTheHeadOfAGroupIsDone() throws Exception {
        mail.sendAll(List.of(
                Outgoing.of(Json.number(1)).group("g"),
                Outgoing.of(Json.number(2)).group("g")));
        Delivery head = receiveOne(mail);
        Receiver receiver = waitingReceiver();

        head.ack();

        assertThat(receiver.received().getFirst().body()).isEqualTo(Json.number(2));
    }

    @Test
    void closingEndsEveryWait() throws Exception {
        List<Receiver> receivers = waitingReceivers(3);

        perdure.close();

        for (Receiver receiver : receivers) {
            assertThat(receiver.failure().code()).isEqualTo(ErrorCode.STORE_CLOSED);
        }
    }

    @Test
    void aWaitEndsWhenItsTimeIsOver() throws Exception {
        Receiver receiver = receiver(mail, Receiving.upTo(1).waiting(SECOND));
        time.awaitIdle(RECEIVER, 1);

        time.pass(SECOND);

        assertThat(receiver.received()).isEmpty();
        assertThat(receiver.thread().isInterrupted()).isFalse();
    }

    @Test
    void anInterruptedReceiverAnswersEmptyAndStaysInterrupted() throws Exception {
        Receiver receiver = waitingReceiver();

        receiver.thread().interrupt();

        assertThat(receiver.received()).isEmpty();
        mail.send(BODY);
        assertThat(mail.receive()).hasSize(1);
    }

    @Test
    void anInterruptedThreadStillReceivesWhatIsThere() {
        mail.send(BODY);
        Thread.currentThread().interrupt();

        List<Delivery> received = mail.receive(Receiving.defaults().waiting(LONG));
        List<Delivery> none = mail.receive(Receiving.defaults().waiting(LONG));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(received).hasSize(1);
        assertThat(none).isEmpty();
    }

    @Test
    void oneMessageCostsOneLookHoweverManyWaitForIt() throws Exception {
        List<Receiver> receivers = waitingReceivers(50);
        int looks = bent.count("receive");

        mail.send(BODY);

        awaitFirst(receivers);
        time.awaitIdle(RECEIVER, 49);
        // One that finds it; and since it got all it asked for, one more that finds nothing.
        assertThat(bent.count("receive")).isEqualTo(looks + 2);
        time.pass(LONG);
        int messages = 0;
        for (Receiver receiver : receivers) {
            messages += receiver.received().size();
        }
        assertThat(messages).isEqualTo(1);
    }

    @Test
    void oneSendOfManyWakesAsManyAsItTakes() throws Exception {
        List<Receiver> receivers = waitingReceivers(20);

        mail.sendAll(IntStream.range(0, 20)
                .mapToObj(number -> Outgoing.of(Json.number(number)))
                .toList());

        for (Receiver receiver : receivers) {
            assertThat(receiver.received()).hasSize(1);
        }
    }

    @Test
    void whenTheOneThatKeepsTheTimeLeavesAnotherDoes() throws Exception {
        mail.send(Outgoing.of(BODY).delay(Duration.ofSeconds(3)));
        Receiver first = receiver(mail, Receiving.upTo(1).waiting(SECOND));
        time.awaitIdle(RECEIVER, 1);
        Receiver second = receiver(mail, Receiving.upTo(1).waiting(LONG));
        time.awaitIdle(RECEIVER, 2);

        time.pass(SECOND);
        assertThat(first.received()).isEmpty();
        time.awaitIdle(RECEIVER, 1);
        time.pass(Duration.ofSeconds(2).plusMillis(1));

        assertThat(second.received()).hasSize(1);
    }

    @Test
    void aReceiverWhoseLookFailsHandsItsCallOn() throws Exception {
        List<Receiver> receivers = waitingReceivers(2);
        bent.failOnce("receive", new StoreException(ErrorCode.STORE_BUSY, "Locked."));

        mail.send(BODY);

        assertThat(receivers.getFirst().failure().code()).isEqualTo(ErrorCode.STORE_BUSY);
        assertThat(receivers.getLast().received()).hasSize(1);
    }

    @Test
    void whereEveryHintIsLostAMessageIsFoundWithinSeconds() throws Exception {
        bent.loseHints();
        Receiver receiver = waitingReceiver();
        mail.send(BODY);

        time.pass(Duration.ofSeconds(5));

        assertThat(receiver.received()).hasSize(1);
    }

    @Test
    void whereNothingHappensReceiversLookMoreAndMoreSeldom() throws Exception {
        // Twice at once, and after 5 and 15 seconds; then at once and in the end; then at once.
        assertThat(looksOfAFruitlessReceive()).isEqualTo(4);
        assertThat(looksOfAFruitlessReceive()).isEqualTo(2);
        assertThat(looksOfAFruitlessReceive()).isEqualTo(1);
        assertThat(looksOfAFruitlessReceive()).isEqualTo(1);
    }

    @Test
    void afterAMessageWasFoundALostHintIsMadeUpForWithinSecondsAgain() throws Exception {
        looksOfAFruitlessReceive();
        looksOfAFruitlessReceive();
        mail.send(BODY);
        assertThat(mail.receive(Receiving.upTo(1).waiting(LONG))).hasSize(1);
        bent.loseHints();
        Receiver receiver = waitingReceiver();
        mail.send(BODY);

        time.pass(Duration.ofSeconds(5));

        assertThat(receiver.received()).hasSize(1);
    }

    @Test
    void afterACallALostHintIsMadeUpForWithinSecondsAgain() throws Exception {
        looksOfAFruitlessReceive();
        looksOfAFruitlessReceive();
        Receiver receiver = waitingReceiver();
        int looks = bent.count("receive");
        mail.send(Outgoing.of(BODY).delay(LONG));
        awaitLooks(looks + 1);
        bent.loseHints();
        mail.send(BODY);

        time.pass(Duration.ofSeconds(5));

        assertThat(receiver.received()).hasSize(1);
    }

    @Test
    void theStoresClockIsAskedOnceForEachTimeThatSomethingBecomesReady() throws Exception {
        mail.send(Outgoing.of(BODY).delay(Duration.ofSeconds(50)));
        int asked = bent.count("now");

        looksOfAFruitlessReceive();
        looksOfAFruitlessReceive();
        assertThat(bent.count("now")).isEqualTo(asked + 1);

        Receiver receiver = waitingReceiver();
        time.pass(Duration.ofSeconds(10).plusMillis(1));
        assertThat(receiver.received()).hasSize(1);
    }

    private int looksOfAFruitlessReceive() throws Exception {
        int looks = bent.count("receive");
        Receiver receiver = waitingReceiver();
        passSeconds(19);
        time.pass(SECOND);
        assertThat(receiver.received()).isEmpty();
        receiver.thread().join();
        return bent.count("receive") - looks;
    }

    /** One by one, so that whoever is due looks in between. */
    private void passSeconds(int seconds) throws InterruptedException {
        for (int second = 0; second < seconds; second++) {
            time.pass(SECOND);
            time.awaitIdle(RECEIVER, 1);
        }
    }

    @Test
    void theStoreIsWatchedOnlyWhileSomebodyWaits() throws Exception {
        assertThat(bent.watches()).isZero();
        List<Receiver> receivers = waitingReceivers(2);
        assertThat(bent.watches()).isEqualTo(1);

        time.pass(LONG);
        for (Receiver receiver : receivers) {
            assertThat(receiver.received()).isEmpty();
            receiver.thread().join();
        }

        assertThat(bent.watches()).isZero();
    }

    @Test
    void aMessageOfAnotherQueueWakesNobody() throws Exception {
        Receiver receiver = waitingReceiver();
        int looks = bent.count("receive");
        MessageQueue other = perdure.createQueue("other");

        other.send(BODY);
        assertThat(receiveOne(other).attempts()).isEqualTo(1);
        time.awaitIdle(RECEIVER, 1);

        assertThat(bent.count("receive")).isEqualTo(looks + 1);
        mail.send(BODY);
        assertThat(receiver.received()).hasSize(1);
    }

    @Test
    void waitingForAQueueThatIsGoneSaysSo() {
        MessageQueue gone = perdure.createQueue("gone");
        bent.fail("receive", new StoreException(ErrorCode.STORE_FAILED, "Gone."));

        assertCode(ErrorCode.STORE_FAILED, () -> gone.receive(Receiving.upTo(1).waiting(LONG)));
        assertThat(bent.watches()).isZero();
    }

    /** Until one of them has its answer and is gone. */
    private static void awaitFirst(List<Receiver> receivers) throws Exception {
        CompletableFuture.anyOf(receivers.stream().map(Receiver::answer).toArray(CompletableFuture<?>[]::new))
                .get(60, TimeUnit.SECONDS);
        for (Receiver receiver : receivers) {
            if (receiver.answer().isDone()) {
                receiver.thread().join();
            }
        }
    }

    /** Until so many looks were taken and everybody waits again. */
    private void awaitLooks(int looks) throws InterruptedException {
        awaitCalls("receive", looks);
        time.awaitIdle(RECEIVER, 1);
    }
}
