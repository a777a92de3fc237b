package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.DeadLetter.Reason;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueuedMessage;
import io.perdure.sdk.queue.QueuedMessage.State;
import io.perdure.sdk.queue.RejectMessageException;
import io.perdure.sdk.retry.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What becomes of messages that are consumed. */
class ConsumeTest extends ConsumerFixture {
    private QueuedMessage onlyMessage() {
        return mail.messages(2).messages().getFirst();
    }

    @Test
    void aMessageIsAcknowledgedWhenItsHandlerReturns() {
        send(100);
        QueueConsumer consumer = perdure.consume("mail", _ -> {});

        until(() -> consumer.figures().handled() == 100);

        assertThat(figures("mail").out()).isEqualTo(100);
        assertThat(consumer.queue()).isEqualTo(mail.name());
    }

    @Test
    void messagesThatComeLaterAreHandledWhenTheyCome() throws InterruptedException {
        QueueConsumer consumer = perdure.consume("mail", _ -> {});
        time.awaitIdle(INTAKE, 1);

        mail.send(BODY);

        until(() -> consumer.figures().handled() == 1);
    }

    @Test
    void aMessageWhoseHandlerThrowsIsDeliveredAgainWithItsError() {
        Queue<String> errors = new ConcurrentLinkedQueue<>();
        mail.send(BODY);
        QueueConsumer consumer = perdure.consume("mail", AT_ONCE, delivery -> {
            delivery.lastError().ifPresent(errors::add);
            switch (delivery.attempts()) {
                case 1 -> throw new Exception("mailbox full");
                case 2 -> throw new StackOverflowError();
                default -> {}
            }
        });

        until(() -> consumer.figures().handled() == 1);

        until(() -> consumer.figures().retried() == 2);
        assertThat(errors).containsExactly("java.lang.Exception: mailbox full", "java.lang.StackOverflowError");
    }

    @Test
    void aMessageThatFailsOftenerIsDeliveredLater() throws InterruptedException {
        mail.send(BODY);
        QueueConsumer consumer =
                perdure.consume("mail", ConsumeOptions.defaults().retryDelay(Backoff.linear(SECOND, LONG)), _ -> {
                    throw new IllegalStateException("mailbox full");
                });

        until(() -> consumer.figures().retried() == 1);
        assertThat(onlyMessage().state()).isEqualTo(State.DELAYED);
        assertThat(onlyMessage().readyAt()).isEqualTo(time.clock().instant().plus(SECOND));
        time.awaitIdle(INTAKE, 1);
        time.pass(SECOND.plusMillis(1));

        until(() -> consumer.figures().retried() == 2);
        assertThat(onlyMessage().readyAt()).isEqualTo(time.clock().instant().plus(SECOND.multipliedBy(2)));
    }

    @Test
    void noDelayIsLongerThanTheQueueAllows() {
        MessageQueue prompt =
                perdure.createQueue("prompt", QueueSettings.defaults().maxDelay(SECOND));
        prompt.send(BODY);
        QueueConsumer consumer =
                perdure.consume("prompt", ConsumeOptions.defaults().retryDelay(Backoff.fixed(LONG)), _ -> {
                    throw new IllegalStateException("mailbox full");
                });

        until(() -> consumer.figures().retried() == 1);

        assertThat(prompt.messages(1).messages().getFirst().readyAt())
                .isEqualTo(time.clock().instant().plus(SECOND));
    }

    @Test
    void aDelayThatIsNoLongerAllowedIsCutToWhatIs() throws InterruptedException {
        Gate gate = new Gate();
        mail.send(BODY);
        QueueConsumer consumer =
                perdure.consume("mail", ConsumeOptions.defaults().retryDelay(Backoff.fixed(LONG)), delivery -> {
                    gate.pass(delivery);
                    throw new IllegalStateException("mailbox full");
                });
        gate.awaitReached();
        mail.update(QueueSettings.defaults().maxDelay(SECOND));
        gate.open();

        until(() -> consumer.figures().retried() == 1);

        assertThat(onlyMessage().readyAt()).isEqualTo(time.clock().instant().plus(SECOND));
    }

    @Test
    void aMessageThatHasUsedUpItsDeliveriesIsCountedAsGivenUp() {
        MessageQueue twice =
                perdure.createQueue("twice", QueueSettings.defaults().retries(1));
        twice.send(BODY);
        QueueConsumer consumer = perdure.consume("twice", AT_ONCE, _ -> {
            throw new IllegalStateException("mailbox full");
        });

        // Each is counted once the store was told, by a thread of its own.
        until(() -> consumer.figures().deadLettered() == 1 && consumer.figures().retried() == 1);
        assertThat(consumer.figures().handled()).isZero();
    }

    @Test
    void anExceptionWhoseMessageThrowsIsAFailureLikeAnyOther() {
        mail.send(BODY);
        QueueConsumer consumer = perdure.consume("mail", AT_ONCE, delivery -> {
            if (delivery.attempts() == 1) {
                throw new IllegalStateException() {
                    @Override
                    public String getMessage() {
                        throw new UnsupportedOperationException();
                    }
                };
            }
        });

        until(() -> consumer.figures().handled() == 1);
        until(() -> consumer.figures().inHand() == 0);
        assertThat(consumer.figures().retried()).isEqualTo(1);
    }

    @Test
    void consume_whenTheErrorsMessageThrowsACheckedException_retriesTheDelivery() {
        mail.send(BODY);
        QueueConsumer consumer = perdure.consume("mail", AT_ONCE, delivery -> {
            if (delivery.attempts() == 1) {
                throw new IllegalStateException() {
                    @Override
                    public String getMessage() {
                        ConsumeTest.<RuntimeException>throwUndeclared(new IOException("no message"));
                        return "";
                    }
                };
            }
        });

        until(() -> consumer.figures().handled() == 1 && consumer.figures().retried() == 1);
    }

    @SuppressWarnings("unchecked") // It is RuntimeException to the compiler only.
    private static <T extends Throwable> void throwUndeclared(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void aRejectedMessageIsADeadLetterWithItsReason() {
        mail.send(BODY);
        QueueConsumer consumer = perdure.consume("mail", _ -> {
            throw new RejectMessageException("no such address", new IllegalArgumentException());
        });

        until(() -> consumer.figures().rejected() == 1);

        QueuedMessage dead = mail.deadLetters().list(1).messages().getFirst();
        assertThat(dead.lastError()).contains("no such address");
        assertThat(dead.deadLetter().orElseThrow().reason()).isEqualTo(Reason.REJECTED);
    }

    @Test
    void whatAHandlerSettlesItselfIsLeftSo() {
        mail.sendAll(List.of(Outgoing.of(Json.number(1)), Outgoing.of(Json.number(2))));
        QueueConsumer consumer = perdure.consume("mail", delivery -> {
            delivery.retry(Duration.ofHours(1), "later");
            if (delivery.body().equals(Json.number(1))) {
                throw new IllegalStateException("after all was said");
            }
        });

        until(() -> consumer.figures().handled() == 2);

        assertThat(consumer.figures().lost()).isZero();
        assertThat(mail.messages(10).messages())
                .hasSize(2)
                .allSatisfy(message -> assertThat(message.lastError()).contains("later"));
    }

    @Test
    void neverMoreAreHandledAtOnceThanMayBe() throws InterruptedException {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Gate gate = new Gate();
        send(60);
        QueueConsumer consumer =
                perdure.consume("mail", ConsumeOptions.defaults().concurrency(3).prefetch(7), delivery -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    gate.pass(delivery);
                    now.decrementAndGet();
                });
        until(() -> now.get() == 3);
        time.awaitIdle(INTAKE, 1);
        assertThat(now).hasValue(3);
        gate.open();

        until(() -> consumer.figures().handled() == 60);

        assertThat(most).hasValue(3);
        until(() -> consumer.figures().inHand() == 0);
    }

    @Test
    void noMoreAreReceivedThanAreHandledAndKeptAhead() throws InterruptedException {
        Gate gate = new Gate();
        send(50);
        QueueConsumer consumer =
                perdure.consume("mail", ConsumeOptions.defaults().concurrency(2).prefetch(5), gate::pass);
        gate.awaitReached();
        time.awaitIdle(INTAKE, 1);

        assertThat(consumer.figures().inHand()).isEqualTo(7);
        assertThat(figures("mail").leased()).isEqualTo(7);
        gate.open();
        until(() -> consumer.figures().handled() == 50);
    }

    @Test
    void groupsKeepTheirOrderHoweverManyAreHandledAtOnce() {
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
    void logLinesOfAHandlerSayWhichMessageQueueAndAttemptTheyBelongTo() {
        Queue<Map<String, String>> seen = new ConcurrentLinkedQueue<>();
        String id = mail.send(BODY).id().toString();
        QueueConsumer consumer = perdure.consume("mail", _ -> seen.add(MDC.getCopyOfContextMap()));

        until(() -> consumer.figures().handled() == 1);

        assertThat(seen)
                .containsExactly(Map.of("perdure.message", id, "perdure.queue", "mail", "perdure.attempt", "1"));
    }

    @Test
    void onlyMessagesThatContainThePartAreConsumed() {
        mail.send(Json.of("{\"a\":1}"));
        mail.send(Json.of("{\"a\":2}"));
        mail.send(Json.of("{\"a\":1,\"b\":1}"));
        QueueConsumer consumer =
                perdure.consume("mail", ConsumeOptions.defaults().matching(Json.of("{\"a\":1}")), _ -> {});

        until(() -> consumer.figures().handled() == 2);

        assertThat(onlyMessage().body()).isEqualTo(Json.of("{\"a\":2}"));
    }

    @Test
    void optionsAreBounded() {
        ConsumeOptions options = ConsumeOptions.defaults();

        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> options.concurrency(0));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> options.concurrency(10_001));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> options.prefetch(-1));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> options.prefetch(10_001));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> options.visibility(Duration.ZERO));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> options.handlerLimit(Duration.ZERO));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> options.handlerLimit(Duration.ofHours(13)));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> options.drain(Duration.ofSeconds(-1)));
    }

    @Test
    void aQueueThatIsNotThereIsNotConsumed() {
        assertCode(ErrorCode.NO_SUCH_QUEUE, () -> perdure.consume("post", _ -> {}));
    }
}
