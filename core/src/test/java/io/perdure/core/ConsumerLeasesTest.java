package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.id.MessageId;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How a consumer keeps its leases, loses them, and stops handlers that take too long. */
class ConsumerLeasesTest extends ConsumerFixture {
    private final Gate gate = new Gate();

    @Test
    void whatIsInHandStaysLeasedHoweverLongItTakes() throws InterruptedException {
        Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
        send(2);
        QueueConsumer consumer = perdure.consume("mail", ONE_AT_A_TIME.prefetch(1), delivery -> {
            attempts.add(delivery.attempts());
            gate.pass(delivery);
        });
        gate.awaitReached();

        passThirds(9);

        assertThat(figures("mail").leased()).isEqualTo(2);
        gate.open();
        until(() -> consumer.figures().handled() == 2);
        assertThat(attempts).containsExactly(1, 1);
    }

    @Test
    void anExtensionThatFailedIsTriedAgainSoon() throws InterruptedException {
        send(1);
        QueueConsumer consumer = perdure.consume("mail", gate::pass);
        gate.awaitReached();
        bent.failOnce("extend", new StoreException(ErrorCode.STORE_BUSY, "Locked."));
        passThirds(1);
        int extensions = bent.count("extend");

        time.pass(Duration.ofMillis(200));

        awaitCalls("extend", extensions + 1);
        gate.open();
        until(() -> consumer.figures().handled() == 1);
    }

    @Test
    void aHandlerThatTakesTooLongIsInterruptedAndItsMessageGivenBack() throws InterruptedException {
        Queue<String> errors = new ConcurrentLinkedQueue<>();
        CountDownLatch never = new CountDownLatch(1);
        send(1);
        QueueConsumer consumer = perdure.consume("mail", AT_ONCE.handlerLimit(Duration.ofSeconds(25)), delivery -> {
            if (delivery.attempts() == 1) {
                gate.reached();
                never.await();
            }
            delivery.lastError().ifPresent(errors::add);
        });
        gate.awaitReached();
        passThirds(2);

        time.pass(Duration.ofSeconds(5));

        until(() -> consumer.figures().handled() == 1);
        until(() -> consumer.figures().retried() == 1);
        assertThat(errors).containsExactly("The handler was interrupted after PT25S.");
    }

    @Test
    void aHandlerThatIgnoresTheInterruptKeepsItsPlaceAndIsNotHeardAnyMore() throws InterruptedException {
        CountDownLatch second = new CountDownLatch(1);
        send(1);
        QueueConsumer consumer =
                perdure.consume("mail", ONE_AT_A_TIME.handlerLimit(Duration.ofSeconds(5)), delivery -> {
                    if (delivery.attempts() > 1) {
                        second.countDown();
                    } else {
                        gate.passUninterrupted(delivery);
                    }
                });
        gate.awaitReached();
        time.awaitIdle(KEEPER, 1);

        time.pass(Duration.ofSeconds(5));
        time.awaitIdle(KEEPER, 1);
        assertThat(figures("mail").leased())
                .as("while it may heed the interrupt")
                .isEqualTo(1);
        time.pass(SECOND);
        until(() -> consumer.figures().retried() == 1);
        assertThat(consumer.figures().inHand()).as("counted once").isEqualTo(1);

        assertThat(figures("mail").ready()).isEqualTo(1);
        assertThat(second.getCount()).isEqualTo(1);
        gate.open();
        until(() -> consumer.figures().handled() == 1);
        assertThat(consumer.figures().lost()).isZero();
    }

    @Test
    void aHandlerThatReturnsSoonAfterTheInterruptIsHeard() throws InterruptedException {
        send(1);
        QueueConsumer consumer =
                perdure.consume("mail", ONE_AT_A_TIME.handlerLimit(Duration.ofSeconds(5)), gate::passUninterrupted);
        gate.awaitReached();
        time.awaitIdle(KEEPER, 1);
        time.pass(Duration.ofSeconds(5));
        time.awaitIdle(KEEPER, 1);

        gate.open();

        until(() -> consumer.figures().handled() == 1);
        assertThat(consumer.figures().retried()).isZero();
        assertThat(figures("mail").out()).isEqualTo(1);
    }

    @Test
    void aLeaseIsKeptWhileTheStoreIsBeingTold() throws InterruptedException {
        send(1);
        QueueConsumer consumer = perdure.consume("mail", gate::pass);
        gate.awaitReached();
        Gate store = new Gate();
        bent.before("commit", () -> store.passUninterrupted(consumer.toString()));
        gate.open();
        store.awaitReached();

        passThirds(2);

        store.open();
        until(() -> consumer.figures().handled() == 1);
        assertThat(consumer.figures().lost()).isZero();
    }

    @Test
    void aLeaseLastsFromBeforeTheLookThatLeasedIt() {
        Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
        AtomicInteger looks = new AtomicInteger();
        time.hold(MESSAGE);
        send(1);
        bent.fail("extend", new StoreException(ErrorCode.STORE_BUSY, "Locked."));
        bent.before("receive", () -> time.pass(looks.incrementAndGet() == 1 ? Duration.ofSeconds(15) : Duration.ZERO));
        QueueConsumer consumer = perdure.consume("mail", delivery -> attempts.add(delivery.attempts()));
        until(() -> consumer.figures().inHand() == 1);

        time.pass(Duration.ofSeconds(15));
        time.letGo();

        until(() -> consumer.figures().lost() == 1);
        assertThat(attempts).isEmpty();
    }

    @Test
    void aHandlerWhoseLeaseIsLostGoesOnAndAnswersTooLate() throws InterruptedException {
        send(1);
        QueueConsumer consumer = perdure.consume("mail", gate::pass);
        gate.awaitReached();
        mail.purge();

        passThirds(1);
        time.awaitIdle(KEEPER, 1);
        int extensions = bent.count("extend");
        time.pass(THIRD);
        time.awaitIdle(KEEPER, 1);

        assertThat(bent.count("extend")).as("of what is lost").isEqualTo(extensions);
        assertThat(consumer.figures().lost()).isZero();
        gate.open();
        until(() -> consumer.figures().lost() == 1);
        assertThat(consumer.figures().handled()).isZero();
    }

    @Test
    void aMessageThatIsLostBeforeItsHandlerBeganIsDropped() throws InterruptedException {
        send(2);
        mail.receive().forEach(delivery -> delivery.reject("no"));
        Queue<MessageId> handled = new ConcurrentLinkedQueue<>();
        QueueConsumer consumer = perdure.consume("mail.dlq", ONE_AT_A_TIME.prefetch(1), delivery -> {
            handled.add(delivery.id());
            gate.pass(delivery);
        });
        gate.awaitReached();
        until(() -> consumer.figures().inHand() == 2);
        mail.deadLetters().list(2).messages().stream()
                .map(message -> message.id())
                .filter(id -> !handled.contains(id))
                .forEach(mail.deadLetters()::discard);

        passThirds(1);

        until(() -> consumer.figures().lost() == 1);
        gate.open();
        until(() -> consumer.figures().handled() == 1);
        assertThat(handled).hasSize(1);
    }

    @Test
    void whatMayHaveRunOutWhileItWaitedIsLeftToTheNextReceiver() throws InterruptedException {
        Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
        send(2);
        QueueConsumer consumer = perdure.consume("mail", ONE_AT_A_TIME.prefetch(1), delivery -> {
            attempts.add(delivery.attempts());
            gate.pass(delivery);
        });
        gate.awaitReached();
        until(() -> consumer.figures().inHand() == 2);
        bent.fail("extend", new StoreException(ErrorCode.STORE_BUSY, "Locked."));
        bent.fail("receive", new StoreException(ErrorCode.STORE_BUSY, "Locked."));

        passThirds(3);
        gate.open();

        until(() -> consumer.figures().lost() == 1);
        assertThat(attempts).containsExactly(1);
    }
}
