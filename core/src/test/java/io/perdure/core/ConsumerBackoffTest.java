package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.MessageHandler;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueuedMessage;
import io.perdure.sdk.queue.QueuedMessage.State;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The delays after which messages are delivered again whose handlers fail, unless a consumer's options say otherwise. */
class ConsumerBackoffTest extends ConsumerFixture {
    private static final MessageHandler FAILING = _ -> {
        throw new IllegalStateException("mailbox full");
    };

    private QueuedMessage only(MessageQueue queue) {
        return queue.messages(1).messages().getFirst();
    }

    private Duration delay(MessageQueue queue) {
        assertThat(only(queue).state()).isEqualTo(State.DELAYED);
        return Duration.between(time.clock().instant(), only(queue).readyAt());
    }

    private void passUntilReady(Duration delay) throws InterruptedException {
        time.awaitIdle(INTAKE, 1);
        time.pass(delay.plusMillis(1));
    }

    @Test
    void retry_byDefault_waitsTwiceAsLongAfterEachFailure() throws InterruptedException {
        mail.send(BODY);
        QueueConsumer consumer = perdure.consume("mail", FAILING);

        for (int failures = 1; failures <= 3; failures++) {
            int count = failures;
            until(() -> consumer.figures().retried() == count);
            Duration delay = delay(mail);
            Duration full = SECOND.multipliedBy(1L << (failures - 1));
            // 20 % more or less at random.
            assertThat(delay)
                    .isBetween(
                            full.multipliedBy(8).dividedBy(10),
                            full.multipliedBy(12).dividedBy(10));
            passUntilReady(delay);
        }

        until(() -> consumer.figures().deadLettered() == 1);
    }

    @Test
    void retry_byDefault_neverWaitsForMoreThanAMinute() throws InterruptedException {
        MessageQueue patient =
                perdure.createQueue("patient", QueueSettings.defaults().retries(10));
        patient.send(BODY);
        QueueConsumer consumer = perdure.consume("patient", FAILING);
        Duration longest = Duration.ZERO;

        for (int failures = 1; failures <= 10; failures++) {
            int count = failures;
            until(() -> consumer.figures().retried() == count);
            Duration delay = delay(patient);
            longest = delay.compareTo(longest) > 0 ? delay : longest;
            passUntilReady(delay);
        }

        assertThat(longest).isBetween(Duration.ofSeconds(48), Duration.ofSeconds(60));
        until(() -> consumer.figures().deadLettered() == 1);
    }

    @Test
    void retry_ofAGroupsHead_holdsItsGroupAndNoOther() throws InterruptedException {
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        mail.sendAll(List.of(
                Outgoing.of(Json.of("\"a1\"")).group("a"),
                Outgoing.of(Json.of("\"a2\"")).group("a"),
                Outgoing.of(Json.of("\"b1\"")).group("b")));
        QueueConsumer consumer = perdure.consume("mail", delivery -> {
            if (delivery.attempts() == 1 && delivery.body().text().equals("\"a1\"")) {
                throw new IllegalStateException("once more");
            }
            handled.add(delivery.body().text());
        });

        until(() -> consumer.figures().retried() == 1 && consumer.figures().handled() == 1);
        time.awaitIdle(INTAKE, 1);
        assertThat(handled).as("while the head is delayed").containsExactly("\"b1\"");
        time.pass(SECOND.multipliedBy(2));

        until(() -> consumer.figures().handled() == 3);
        assertThat(handled).containsExactly("\"b1\"", "\"a1\"", "\"a2\"");
    }

    @Test
    void retry_afterTheHandlerLimit_waitsToo() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        Gate gate = new Gate();
        mail.send(BODY);
        QueueConsumer consumer =
                perdure.consume("mail", ConsumeOptions.defaults().handlerLimit(SECOND), delivery -> {
                    gate.reached();
                    if (delivery.attempts() == 1) {
                        never.await();
                    }
                });
        gate.awaitReached();
        time.awaitIdle(KEEPER, 1);

        time.pass(SECOND);

        until(() -> consumer.figures().retried() == 1);
        assertThat(delay(mail)).isBetween(Duration.ofMillis(800), Duration.ofMillis(1_200));
    }

    @Test
    void retry_byTheHandlerItself_waitsForAsLongAsItSays() {
        mail.send(BODY);
        QueueConsumer consumer = perdure.consume("mail", delivery -> {
            if (delivery.attempts() == 1) {
                delivery.retry(Duration.ZERO, "at once");
            }
        });

        until(() -> consumer.figures().handled() == 2);

        assertThat(figures("mail").out()).isEqualTo(1);
    }
}
