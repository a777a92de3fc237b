package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Receiving;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A queue in one file: messages are sent, one of them fails at first and is delivered again, both are acknowledged. */
final class QueueExample {
    private final List<String> told = new ArrayList<>();

    private QueueExample() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tell("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Works through a queue in the store of this URL and tells what happened. */
    static List<String> tell(String url) {
        QueueExample example = new QueueExample();
        example.send(url);
        example.receive(url);
        return example.told;
    }

    private void send(String url) {
        // region send
        try (Perdure perdure = Perdure.open(url)) {
            MessageQueue mail = perdure.createQueue("mail"); // does nothing where it is there already
            mail.send(Json.of("{\"to\": \"ann@example.com\"}"));
            mail.send(Outgoing.of(Json.of("{\"to\": \"bob@example.com\"}"))
                    .header("trace", "42")
                    .deduplicationId("welcome-bob")); // sent twice, it is there once
        }
        // endregion
    }

    private void receive(String url) {
        // region receive
        try (Perdure perdure = Perdure.open(url)) {
            MessageQueue mail = perdure.queue("mail");
            List<Delivery> deliveries = mail.receive(Receiving.upTo(10).waiting(Duration.ofSeconds(20)));
            while (!deliveries.isEmpty()) {
                deliveries.forEach(this::handle);
                deliveries = mail.receive(Receiving.upTo(10).waiting(Duration.ofSeconds(1)));
            }
        }
        // endregion
    }

    // region handle
    private void handle(Delivery delivery) {
        try {
            deliver(delivery);
            delivery.ack(); // gone for good
        } catch (IllegalStateException e) {
            delivery.retry(Duration.ofMillis(50), String.valueOf(e.getMessage())); // delivered again
        }
    }
    // endregion

    private void deliver(Delivery delivery) {
        told.add(delivery.body() + ", attempt " + delivery.attempts());
        if (delivery.headers().containsKey("trace") && delivery.attempts() == 1) {
            throw new IllegalStateException("mailbox full");
        }
    }
}
