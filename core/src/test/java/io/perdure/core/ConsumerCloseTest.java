package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.queue.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How a consumer ends, and what it outlives. */
class ConsumerCloseTest extends ConsumerFixture {
    private static final String CLOSER = "closer";

    private final Gate gate = new Gate();

    @Test
    void whatWasNotBegunGoesBackAsIfItHadNotBeenDelivered() throws InterruptedException {
        send(4);
        QueueConsumer consumer = perdure.consume("mail", ONE_AT_A_TIME.prefetch(3), gate::pass);
        until(() -> consumer.figures().inHand() == 4);
        gate.awaitReached();
        Thread closer = time.start(CLOSER, consumer::close);

        until(() -> figures("mail").ready() == 3);
        gate.open();
        awaitEnd(closer);

        assertThat(consumer.figures().handled()).isEqualTo(1);
        assertThat(consumer.figures().inHand()).isZero();
        assertThat(mail.receive()).hasSize(3).allMatch(delivery -> delivery.attempts() == 1);
    }

    @Test
    void closingWaitsForHandlersAndThenCutsThemOff() throws InterruptedException {
        send(1);
        CountDownLatch never = new CountDownLatch(1);
        QueueConsumer consumer = perdure.consume("mail", _ -> {
            gate.reached();
            never.await();
        });
        gate.awaitReached();
        Thread closer = time.start(CLOSER, consumer::close);
        time.awaitIdle(CLOSER, 1);

        time.pass(Duration.ofSeconds(29));
        time.awaitIdle(CLOSER, 1);
        assertThat(figures("mail").leased()).isEqualTo(1);
        time.pass(SECOND);
        awaitEnd(closer);

        assertThat(consumer.figures().retried()).isZero();
        Delivery again = receiveOne(mail);
        assertThat(again.attempts()).isEqualTo(1);
        assertThat(again.lastError()).isEmpty();
    }

    @Test
    void aHandlerThatDoesNotEndIsLeftBehindAndItsMessageGoesBack() throws InterruptedException {
        send(1);
        CountDownLatch ended = new CountDownLatch(1);
        QueueConsumer consumer = perdure.consume("mail", delivery -> {
            gate.passUninterrupted(delivery);
            ended.countDown();
        });
        gate.awaitReached();
        Thread closer = time.start(CLOSER, consumer::close);
        time.awaitIdle(CLOSER, 1);
        time.pass(Duration.ofSeconds(30));
        time.awaitIdle(CLOSER, 1);

        time.pass(SECOND);
        awaitEnd(closer);

        assertThat(figures("mail").ready()).isEqualTo(1);
        gate.open();
        assertThat(ended.await(VirtualTime.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        until(() -> consumer.figures().inHand() == 0);
        assertThat(figures("mail").ready()).isEqualTo(1);
        assertThat(consumer.figures().handled()).isZero();
    }

    @Test
    void whoIsInterruptedWhileClosingDoesNotWaitForHandlers() throws InterruptedException {
        send(1);
        CountDownLatch never = new CountDownLatch(1);
        QueueConsumer consumer = perdure.consume("mail", _ -> {
            gate.reached();
            never.await();
        });
        gate.awaitReached();
        Thread closer = time.start(CLOSER, consumer::close);
        time.awaitIdle(CLOSER, 1);

        closer.interrupt();
        awaitEnd(closer);

        until(() -> figures("mail").ready() == 1);
    }

    @Test
    void nothingIsReceivedOnceItIsClosed() {
        QueueConsumer consumer = perdure.consume("mail", _ -> {});
        consumer.close();
        consumer.close();

        mail.send(BODY);

        assertThat(receiveOne(mail).attempts()).isEqualTo(1);
    }

    @Test
    void theEngineClosesItsConsumersWhileItCanStillBeToldOfTheirMessages() throws InterruptedException {
        send(1);
        QueueConsumer consumer = perdure.consume("mail", gate::pass);
        gate.awaitReached();
        Thread closer = time.start(CLOSER, perdure::close);
        time.awaitIdle(CLOSER, 1);

        gate.open();
        awaitEnd(closer);

        assertThat(consumer.figures().handled()).isEqualTo(1);
        assertCode(ErrorCode.STORE_CLOSED, () -> perdure.consume("mail", _ -> {}));
    }

    @Test
    void aStoreThatFailsIsAskedAgainLaterAndLater() throws InterruptedException {
        bent.fail("receive", new StoreException(ErrorCode.STORE_BUSY, "Locked."));
        send(1);
        QueueConsumer consumer = perdure.consume("mail", _ -> {});
        for (int failures = 1; failures < 10; failures++) {
            awaitCalls("receive", failures);
            time.awaitIdle(INTAKE, 1);
            time.pass(Duration.ofMillis(120L << Math.min(failures - 1, 6)));
        }
        awaitCalls("receive", 10);
        time.awaitIdle(INTAKE, 1);

        bent.heal("receive");
        time.pass(Duration.ofSeconds(6));

        until(() -> consumer.figures().handled() == 1);
    }

    @Test
    void aQueueThatWasDeletedIsConsumedAgainOnceItIsBack() throws InterruptedException {
        QueueConsumer consumer = perdure.consume("mail", _ -> {});
        time.awaitIdle(INTAKE, 1);
        mail.delete();
        time.pass(LONG);
        time.awaitIdle(INTAKE, 1);

        perdure.createQueue("mail").send(BODY);
        // Longer than any pause between two attempts.
        time.pass(Duration.ofSeconds(6));

        until(() -> consumer.figures().handled() == 1);
    }

    @Test
    void aMessageThatCouldNotBeSettledIsDeliveredAgain() throws InterruptedException {
        send(1);
        QueueConsumer consumer = perdure.consume("mail", gate::pass);
        gate.awaitReached();
        bent.failOnce("commit", new StoreException(ErrorCode.STORE_FULL, "No room."));

        gate.open();
        until(() -> consumer.figures().inHand() == 0);
        time.awaitIdle(INTAKE, 1);
        time.pass(Duration.ofSeconds(30).plusMillis(1));

        until(() -> consumer.figures().handled() == 1);
        assertThat(figures("mail").out()).isEqualTo(1);
    }

    @Test
    void severalConsumersDrainSideBySide() throws InterruptedException {
        send(2);
        CountDownLatch never = new CountDownLatch(1);
        List<QueueConsumer> consumers = List.of(
                perdure.consume("mail", ONE_AT_A_TIME, _ -> never.await()),
                perdure.consume("mail", ONE_AT_A_TIME, _ -> never.await()));
        until(() -> figures("mail").leased() == 2);
        Thread closer = time.start(CLOSER, perdure::close);
        time.awaitIdle(CLOSER, 1);

        time.pass(Duration.ofSeconds(30));
        awaitEnd(closer);

        assertThat(consumers).allMatch(consumer -> consumer.figures().inHand() == 0);
    }

    @Test
    void severalConsumersLeaveTheirHandlersBehindSideBySide() throws InterruptedException {
        send(2);
        List<QueueConsumer> consumers = List.of(
                perdure.consume("mail", ONE_AT_A_TIME, gate::passUninterrupted),
                perdure.consume("mail", ONE_AT_A_TIME, gate::passUninterrupted));
        until(() -> figures("mail").leased() == 2);
        Thread closer = time.start(CLOSER, perdure::close);
        time.awaitIdle(CLOSER, 1);
        time.pass(Duration.ofSeconds(30));
        time.awaitIdle(CLOSER, 1);

        time.pass(SECOND);
        awaitEnd(closer);

        gate.open();
        until(() -> consumers.stream().allMatch(consumer -> consumer.figures().inHand() == 0));
    }

    @Test
    void whatIsClosedBeforeItsThreadRunsIsNotHandled() throws InterruptedException {
        Queue<Delivery> handled = new ConcurrentLinkedQueue<>();
        time.hold(MESSAGE);
        send(1);
        QueueConsumer consumer = perdure.consume("mail", ONE_AT_A_TIME.drain(Duration.ZERO), handled::add);
        until(() -> consumer.figures().inHand() == 1);
        Thread closer = time.start(CLOSER, consumer::close);
        time.awaitIdle(CLOSER, 1);

        time.letGo();
        awaitEnd(closer);

        assertThat(handled).isEmpty();
        assertThat(receiveOne(mail).attempts()).isEqualTo(1);
    }

    @Test
    void whereNoThreadCanBeStartedNothingKeepsTheConsumerFromClosing() throws InterruptedException {
        send(1);
        time.refuse(MESSAGE);
        QueueConsumer consumer = perdure.consume("mail", _ -> {});
        until(() -> figures("mail").leased() == 1);
        until(() -> consumer.figures().inHand() == 0);

        awaitEnd(time.start(CLOSER, consumer::close));

        assertThat(consumer.figures().handled()).isZero();
    }

    @Test
    void whatCannotBeGivenBackKeepsNobodyFromClosing() throws InterruptedException {
        send(4);
        QueueConsumer consumer = perdure.consume("mail", ONE_AT_A_TIME.prefetch(3), gate::pass);
        until(() -> consumer.figures().inHand() == 4);
        gate.awaitReached();
        time.refuse(MESSAGE);
        Thread closer = time.start(CLOSER, consumer::close);

        until(() -> consumer.figures().inHand() == 1);
        gate.open();
        awaitEnd(closer);

        assertThat(consumer.figures().handled()).isEqualTo(1);
    }

    @Test
    void whereItsIntakeCannotBeStartedNothingIsLeftRunning() {
        time.refuse(INTAKE);

        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> perdure.consume("mail", _ -> {}));

        until(() -> time.running(KEEPER) == 0);
    }

    @Test
    void anInterruptEndsTheIntake() throws InterruptedException {
        perdure.consume("mail", _ -> {});
        time.awaitIdle(INTAKE, 1);

        time.interrupt(INTAKE);

        until(() -> time.running(INTAKE) == 0);
    }
}
