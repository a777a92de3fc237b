package io.perdure.testkit.queue;

import static io.perdure.testkit.TimedAttempt.withTimeEnough;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.DeadLetter.Reason;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.ExtendedLeases;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueuedMessage;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.queue.RejectMessageException;
import io.perdure.sdk.retry.Backoff;
import io.perdure.testkit.workflow.Opening;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a consumer promises, over a real store and in real time, in the same process and over HTTP. A test extends this class and says how an
 * engine is opened.
 */
public abstract class ConsumerContract extends ConsumerDefaults {
    private static final Json BODY = Json.of("{\"to\":\"ada\"}");
    /** A consumer extends its leases each third of this. A machine that stalls for longer loses them, and the test tries again with longer ones. */
    private static final Duration LEASE = Duration.ofSeconds(3);

    private final Gate gate = new Gate();

    /** Runs every rule on a store of its own, by the engines that this opens. */
    protected ConsumerContract(Opening opening) {
        super(opening);
    }

    @Test
    void eachMessageIsHandledOnceAndAcknowledged() throws InterruptedException {
        Map<MessageId, Integer> times = new ConcurrentHashMap<>();
        send(1_000);
        QueueConsumer consumer = perdure.consume(
                "mail",
                ConsumeOptions.defaults().concurrency(100),
                delivery -> times.merge(delivery.id(), 1, Integer::sum));

        until(() -> consumer.figures().handled() == 1_000);

        assertThat(times)
                .hasSize(1_000)
                .allSatisfy((_, count) -> assertThat(count).isEqualTo(1));
        assertThat(figures().out()).isEqualTo(1_000);
        assertThat(figures().depth()).isZero();
        assertThat(consumer.figures().lost()).isZero();
        assertThat(consumer.queue()).isEqualTo(mail.name());
    }

    @Test
    void aMessageThatComesAfterALongWaitIsHandled() throws InterruptedException {
        withTimeEnough(LEASE, lease -> {
            try (QueueConsumer consumer = perdure.consume("mail", ONE_AT_A_TIME.visibility(lease), _ -> {})) {
                // Longer than its lease will be: that counts from when it was leased, not from when it was asked for.
                pass(lease.plusSeconds(1));

                send(1);

                until(() -> consumer.figures().handled() == 1);
                return consumer.figures().lost() == 0;
            }
        });
    }

    @Test
    void aHandlerThatThrowsHasItsMessageAgainUntilThatIsADeadLetter() throws InterruptedException {
        Queue<String> errors = new ConcurrentLinkedQueue<>();
        mail.update(QueueSettings.defaults().retries(1));
        mail.send(BODY);
        QueueConsumer consumer = perdure.consume(
                "mail", ConsumeOptions.defaults().retryDelay(Backoff.fixed(Duration.ofMillis(20))), delivery -> {
                    errors.add(delivery.attempts() + delivery.lastError().orElse(""));
                    throw new IllegalStateException("mailbox full");
                });

        until(() -> consumer.figures().deadLettered() == 1 && consumer.figures().retried() == 1);

        assertThat(errors).containsExactly("1", "2java.lang.IllegalStateException: mailbox full");
        QueuedMessage dead = mail.deadLetters().list(2).messages().getFirst();
        assertThat(dead.lastError()).contains("java.lang.IllegalStateException: mailbox full");
        assertThat(dead.deadLetter().orElseThrow().reason()).isEqualTo(Reason.DELIVERIES_USED_UP);
        assertThat(consumer.figures().handled()).isZero();
    }

    @Test
    void aRejectedMessageIsADeadLetterWithItsReason() throws InterruptedException {
        mail.send(BODY);
        QueueConsumer consumer = perdure.consume("mail", _ -> {
            throw new RejectMessageException("no such address");
        });

        until(() -> consumer.figures().rejected() == 1);

        QueuedMessage dead = mail.deadLetters().list(1).messages().getFirst();
        assertThat(dead.lastError()).contains("no such address");
        assertThat(dead.deadLetter().orElseThrow().reason()).isEqualTo(Reason.REJECTED);
    }

    @Test
    void whatAHandlerSettlesItselfIsLeftSo() throws InterruptedException {
        send(2);
        QueueConsumer consumer = perdure.consume("mail", delivery -> {
            if (delivery.body().equals(Json.number(1))) {
                delivery.retry(Duration.ofHours(1), "later");
                throw new IllegalStateException("after all was said");
            }
            delivery.ack();
        });

        until(() -> consumer.figures().handled() == 2);

        assertThat(consumer.figures().lost()).isZero();
        assertThat(mail.messages(10).messages())
                .singleElement()
                .satisfies(message -> assertThat(message.lastError()).contains("later"));
    }

    @Test
    void aDelayThatIsNoLongerAllowedIsCutToWhatIs() throws InterruptedException {
        send(1);
        QueueConsumer consumer =
                perdure.consume("mail", ONE_AT_A_TIME.retryDelay(Backoff.fixed(Duration.ofHours(2))), delivery -> {
                    gate.pass(delivery);
                    throw new IllegalStateException("mailbox full");
                });
        gate.awaitReached();
        mail.update(QueueSettings.defaults().maxDelay(Duration.ofHours(1)));
        gate.open();

        until(() -> consumer.figures().retried() == 1);

        QueuedMessage later = mail.messages(1).messages().getFirst();
        assertThat(later.readyAt()).isBefore(later.sentAt().plus(Duration.ofMinutes(70)));
    }

    @Test
    void leasesAreKeptForAsLongAsHandlersTake() throws InterruptedException {
        withTimeEnough(LEASE, this::keepsLeases);
    }

    private boolean keepsLeases(Duration lease) throws InterruptedException {
        Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
        Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
        Gate handlers = new Gate();
        mail.purge();
        send(3);
        try (QueueConsumer consumer =
                perdure.consume("mail", ONE_AT_A_TIME.prefetch(2).visibility(lease), delivery -> {
                    attempts.add(delivery.attempts());
                    deliveries.add(delivery);
                    handlers.pass(delivery);
                })) {
            handlers.awaitReached();
            until(() -> consumer.figures().inHand() == 3);
            Instant first = deliveries.element().leasedUntil();
            boolean kept = mail.receive(Receiving.defaults().waiting(lease.plusSeconds(2)))
                            .isEmpty()
                    && holdsWithin(
                            lease, () -> deliveries.element().leasedUntil().isAfter(first.plus(lease)));
            handlers.open();
            if (!kept) {
                return false;
            }
            until(() -> consumer.figures().handled() == 3);
            return List.copyOf(attempts).equals(List.of(1, 1, 1))
                    && consumer.figures().lost() == 0;
        }
    }

    @Test
    void aMessageThatIsGoneWhenItsHandlerEndsIsLost() throws InterruptedException {
        send(1);
        QueueConsumer consumer = perdure.consume("mail", ONE_AT_A_TIME, gate::pass);
        gate.awaitReached();
        mail.purge();

        gate.open();

        until(() -> consumer.figures().lost() == 1);
        assertThat(consumer.figures().handled()).isZero();
    }

    @Test
    void aHandlerThatTakesTooLongIsInterruptedAndItsMessageGivenBack() throws InterruptedException {
        Queue<String> errors = new ConcurrentLinkedQueue<>();
        CountDownLatch never = new CountDownLatch(1);
        send(1);
        QueueConsumer consumer = perdure.consume("mail", AT_ONCE.handlerLimit(Duration.ofMillis(200)), delivery -> {
            delivery.lastError().ifPresent(errors::add);
            if (delivery.attempts() == 1) {
                never.await();
            }
        });

        // A later attempt is interrupted, too, if its thread stalls for that long.
        until(() -> consumer.figures().handled() == 1 && consumer.figures().retried() >= 1);

        assertThat(errors).containsOnly("The handler was interrupted after PT0.2S.");
    }

    @Test
    void closingGivesBackWhatWasNotBegunAsIfItHadNotBeenDelivered() throws InterruptedException {
        send(40);
        QueueConsumer consumer = perdure.consume("mail", ONE_AT_A_TIME.prefetch(39), gate::pass);
        gate.awaitReached();
        until(() -> consumer.figures().inHand() == 40);
        Thread closer = start(consumer::close);

        until(() -> figures().ready() == 39);
        gate.open();
        awaitEnd(closer);

        assertThat(consumer.figures().handled()).isEqualTo(1);
        assertThat(consumer.figures().inHand()).isZero();
        assertThat(mail.receive(Receiving.upTo(100))).hasSize(39).allMatch(delivery -> delivery.attempts() == 1);
    }

    @Test
    void closingCutsHandlersOffThatDoNotEndInTime() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        send(1);
        QueueConsumer consumer = perdure.consume("mail", ONE_AT_A_TIME.drain(Duration.ofMillis(50)), _ -> {
            gate.reached();
            never.await();
        });
        gate.awaitReached();

        consumer.close();

        assertThat(consumer.figures().retried()).isZero();
        assertThat(mail.receive()).singleElement().matches(delivery -> delivery.attempts() == 1);
    }

    @Test
    void whoIsClosedWhileItWaitsTakesNothingAnyMore() throws InterruptedException {
        for (int round = 1; round <= 20; round++) {
            QueueConsumer consumer = perdure.consume("mail", _ -> {});
            if (round % 2 == 0) {
                pass(Duration.ofMillis(50));
            }
            consumer.close();
            send(1);

            // A receive that was left may have leased it, and gives it back when its answer arrives.
            List<Delivery> received = mail.receive(Receiving.defaults().waiting(Duration.ofSeconds(20)));

            assertThat(received).as("round %s", round).singleElement().matches(delivery -> delivery.attempts() == 1);
            received.getFirst().ack();
        }
    }

    @Test
    void theEngineClosesItsConsumersWhileTheStoreCanStillBeTold() throws InterruptedException {
        send(1);
        QueueConsumer consumer = perdure.consume("mail", gate::pass);
        gate.awaitReached();
        Thread closer = start(perdure::close);

        gate.open();
        awaitEnd(closer);

        assertThat(consumer.figures().handled()).isEqualTo(1);
        assertCode(ErrorCode.STORE_CLOSED, () -> perdure.consume("mail", _ -> {}));
    }

    @Test
    void groupsKeepTheirOrderHoweverManyAreHandledAtOnce() throws InterruptedException {
        Map<String, Queue<String>> handled = new ConcurrentHashMap<>();
        for (int number = 0; number < 20; number++) {
            Json body = Json.number(number);
            mail.sendAll(IntStream.range(0, 4)
                    .mapToObj(group -> Outgoing.of(body).group("g" + group))
                    .toList());
        }
        QueueConsumer consumer = perdure.consume("mail", AT_ONCE.concurrency(8), delivery -> {
            String group = delivery.group().orElseThrow().value();
            handled.computeIfAbsent(group, _ -> new ConcurrentLinkedQueue<>())
                    .add(delivery.body().text());
            if (delivery.attempts() == 1 && delivery.body().equals(Json.number(7))) {
                throw new IllegalStateException("once more");
            }
        });

        until(() -> consumer.figures().handled() == 80);

        List<String> inOrder = new ArrayList<>(
                IntStream.range(0, 20).mapToObj(Integer::toString).toList());
        inOrder.add(7, "7");
        assertThat(handled)
                .hasSize(4)
                .allSatisfy((_, numbers) -> assertThat(numbers).containsExactlyElementsOf(inOrder));
    }

    @Test
    void neverMoreAreHandledAtOnceThanMayBe() throws InterruptedException {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        send(60);
        QueueConsumer consumer =
                perdure.consume("mail", ConsumeOptions.defaults().concurrency(3).prefetch(7), delivery -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    gate.pass(delivery);
                    now.decrementAndGet();
                });
        until(() -> now.get() == 3 && consumer.figures().inHand() == 10);
        gate.open();

        until(() -> consumer.figures().handled() == 60);

        assertThat(most).hasValue(3);
    }

    @Test
    void onlyMessagesThatContainThePartAreConsumed() throws InterruptedException {
        mail.send(Json.of("{\"a\":1}"));
        mail.send(Json.of("{\"a\":2}"));
        mail.send(Json.of("{\"a\":1,\"b\":1}"));
        QueueConsumer consumer =
                perdure.consume("mail", ConsumeOptions.defaults().matching(Json.of("{\"a\":1}")), _ -> {});

        until(() -> consumer.figures().handled() == 2);

        assertThat(mail.messages(2).messages())
                .singleElement()
                .satisfies(message -> assertThat(message.body()).isEqualTo(Json.of("{\"a\":2}")));
    }

    @Test
    void aQueueThatWasDeletedIsConsumedAgainOnceItIsBack() throws InterruptedException {
        QueueConsumer consumer = perdure.consume("mail", _ -> {});
        mail.delete();

        perdure.createQueue("mail").send(BODY);

        until(() -> consumer.figures().handled() == 1);
    }

    @Test
    void aQueueThatIsNotThereIsNotConsumed() {
        assertCode(ErrorCode.NO_SUCH_QUEUE, () -> perdure.consume("post", _ -> {}));
    }

    @Test
    void manyLeasesAreExtendedTogetherAndThoseThatCameTooLateAreTold() {
        send(3);
        List<Delivery> received = mail.receive();
        received.getFirst().ack();
        Instant before = received.getLast().leasedUntil();

        ExtendedLeases extended =
                perdure.extendAll(received.stream().map(Delivery::receipt).toList(), Duration.ofHours(1));

        assertThat(extended.late()).containsExactly(received.getFirst().receipt());
        assertThat(extended.until()).isAfter(before.plus(Duration.ofMinutes(50)));
        assertThat(perdure.extendAll(extended.late(), Duration.ofHours(1)).until())
                .isNull();
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> perdure.extendAll(extended.late(), Duration.ZERO));
    }

    private static void assertCode(ErrorCode code, Runnable call) {
        assertThatExceptionOfType(PerdureException.class)
                .isThrownBy(call::run)
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(code));
    }
}
