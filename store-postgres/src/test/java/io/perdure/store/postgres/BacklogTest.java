package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A queue that has much in it which cannot be delivered still delivers the rest. */
final class BacklogTest {
    private static final int HUNDRED = 100;

    private final FreshDatabase database = new FreshDatabase();
    private final Perdure perdure = Perdure.open(database.text());

    @AfterEach
    void close() {
        perdure.close();
        database.close();
    }

    private static void fill(MessageQueue queue, String group, int count) {
        for (int sent = 0; sent < count; sent += HUNDRED) {
            int from = sent;
            queue.sendAll(IntStream.range(from, from + HUNDRED)
                    .mapToObj(number ->
                            Outgoing.of(Json.string(group + " " + number)).group(group))
                    .toList());
        }
    }

    private static List<String> bodies(List<Delivery> deliveries) {
        return deliveries.stream().map(delivery -> delivery.body().text()).toList();
    }

    /** More wait behind the first of the group than a look goes through. */
    @Test
    void whatComesAfterADeepGroupIsDelivered() {
        MessageQueue queue = perdure.createQueue("deep");
        fill(queue, "deep", 2_200);
        queue.send(Json.string("in no group"));
        fill(queue, "other", HUNDRED);

        List<Delivery> first = queue.receive(Receiving.upTo(10));
        assertThat(bodies(first)).containsExactly("\"deep 0\"", "\"in no group\"", "\"other 0\"");
        assertThat(queue.receive(Receiving.upTo(10))).isEmpty();

        first.forEach(Delivery::ack);
        assertThat(bodies(queue.receive(Receiving.upTo(10)))).containsExactly("\"deep 1\"", "\"other 1\"");
    }

    /** More than one call gives up: each does some, and what it did stays done. */
    @Test
    void manyThatUsedUpTheirDeliveriesAreGivenUp() {
        MessageQueue queue = perdure.createQueue("once");
        for (int sent = 0; sent < 1_100; sent += HUNDRED) {
            queue.sendAll(IntStream.range(0, HUNDRED)
                    .mapToObj(number -> Outgoing.of(Json.number(number)))
                    .toList());
        }
        database.run("UPDATE perdure.message SET deliveries = 4");
        queue.send(Json.string("last"));

        List<Delivery> last = List.of();
        while (last.isEmpty()) {
            last = queue.receive(Receiving.upTo(10).waiting(Duration.ofSeconds(20)));
        }

        assertThat(bodies(last)).containsExactly("\"last\"");
        assertThat(database.read("SELECT count(*)::text FROM perdure.message WHERE dead_at IS NOT NULL"))
                .isEqualTo("1100");
    }
}
