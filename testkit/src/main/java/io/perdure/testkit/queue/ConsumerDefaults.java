package io.perdure.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueuedMessage;
import io.perdure.testkit.workflow.Opening;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of a consumer whose options nobody has set; {@link ConsumerContract} has them among its own. */
abstract class ConsumerDefaults extends ConsumerFixture {
    ConsumerDefaults(Opening opening) {
        super(opening);
    }

    @Test
    void retry_byDefault_waitsASecond() throws InterruptedException {
        mail.update(QueueSettings.defaults().retries(1));
        mail.send(Json.of("{\"to\":\"ada\"}"));
        QueueConsumer consumer = perdure.consume("mail", _ -> {
            throw new IllegalStateException("mailbox full");
        });

        until(() -> consumer.figures().deadLettered() == 1);

        QueuedMessage dead = mail.deadLetters().list(1).messages().getFirst();
        // 20 % more or less at random, by the store's clock.
        assertThat(dead.lastDelivered().orElseThrow())
                .isAfterOrEqualTo(dead.firstDelivered().orElseThrow().plusMillis(800));
    }

    @Test
    void groups_receivedManyAtOnce_keepTheirOrder() throws InterruptedException {
        int groups = 500;
        int messages = 2_000;
        Map<String, Queue<Integer>> handled = new ConcurrentHashMap<>();
        for (int from = 0; from < messages; from += 100) {
            mail.sendAll(IntStream.range(from, from + 100)
                    .mapToObj(
                            number -> Outgoing.of(Json.number(number / groups)).group("g" + number % groups))
                    .toList());
        }
        QueueConsumer consumer = perdure.consume(
                "mail",
                delivery -> handled.computeIfAbsent(
                                delivery.group().orElseThrow().value(), _ -> new ConcurrentLinkedQueue<>())
                        .add(Integer.valueOf(delivery.body().text())));

        until(() -> consumer.figures().handled() == messages);

        assertThat(handled)
                .hasSize(groups)
                .allSatisfy((_, numbers) -> assertThat(numbers).containsExactly(0, 1, 2, 3));
        assertThat(consumer.figures().lost()).isZero();
    }
}
