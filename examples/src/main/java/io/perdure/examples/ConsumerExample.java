package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.DeadLetters;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueuedMessage;
import io.perdure.sdk.retry.Backoff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/**
 * Orders that are shipped by a consumer, those of one customer in their order. One cannot be shipped and ends among the dead letters; it
 * is looked at, what was wrong is mended, and it is delivered once more.
 */
final class ConsumerExample {
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Set<Json> warehouse = ConcurrentHashMap.newKeySet();
    private final Set<String> shipped = ConcurrentHashMap.newKeySet();
    private final Semaphore done = new Semaphore(0);

    private ConsumerExample() {
        warehouse.add(item("lamp"));
        warehouse.add(item("chair"));
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("perdure");
        tell("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Ships orders out of the store of this URL; tells what happened. */
    static List<String> tell(String url) throws InterruptedException {
        ConsumerExample example = new ConsumerExample();
        try (Perdure perdure = Perdure.open(url)) {
            example.send(perdure);
            example.consume(perdure, 3);
            example.redrive(perdure);
            example.consume(perdure, 1);
        }
        return example.told;
    }

    private void send(Perdure perdure) {
        // region send
        MessageQueue orders =
                perdure.createQueue("orders", QueueSettings.defaults().retries(1)); // 2 deliveries
        orders.sendAll(List.of( // all or none
                order("ann", "lamp"), order("ann", "desk"), order("ann", "chair"), order("bob", "lamp")));
        // endregion
    }

    // region order
    private static Outgoing order(String customer, String item) {
        return Outgoing.of(item(item))
                .group(customer) // delivered in the order of the sends, one at a time
                .header("key", customer + "/" + item) // what the work is known by, however often it is delivered
                .deduplicationId(customer + "/" + item); // sent again within 5 minutes, it is there once
    }
    // endregion

    private static Json item(String name) {
        return Json.of("{\"item\": \"%s\"}".formatted(name));
    }

    private void consume(Perdure perdure, int orders) throws InterruptedException {
        // region consume
        ConsumeOptions options = ConsumeOptions.defaults()
                .concurrency(8) // 8 customers at once
                .retryDelay(Backoff.exponential(Duration.ofMillis(20), Duration.ofMinutes(1)));
        try (QueueConsumer _ = perdure.consume("orders", options, this::ship)) {
            done.acquire(orders); // a service stays here until it is told to end
        }
        // endregion
    }

    // region handler
    private void ship(Delivery delivery) {
        String key = String.valueOf(delivery.headers().get("key"));
        if (!warehouse.contains(delivery.body())) {
            throw new IllegalStateException("not in the warehouse"); // given back, and after 2 deliveries given up
        }
        if (shipped.add(key)) { // in a shop: a row with this unique key, in one transaction with the work
            told.add("shipped " + key);
        }
        done.release();
    } // acknowledged when it returns
    // endregion

    private void redrive(Perdure perdure) {
        // region dead
        DeadLetters dead = perdure.queue("orders").deadLetters();
        for (QueuedMessage letter : dead.list(10).messages()) {
            int attempts = letter.deadLetter().orElseThrow().deliveries();
            told.add(letter.body() + ": " + attempts + " attempts, "
                    + letter.lastError().orElse(""));
        }
        warehouse.add(item("desk")); // what was wrong is mended…
        told.add("redriven: " + dead.redriveAll()); // …and the order has all its deliveries before it again
        // endregion
    }
}
