package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Receiving;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The shortest way from nothing to a durable queue. */
final class FirstQueue {
    private final List<String> delivered = new ArrayList<>();

    private FirstQueue() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tell("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Sends and receives in the store of this URL; tells what was delivered. */
    static List<String> tell(String url) {
        FirstQueue first = new FirstQueue();
        first.run(url);
        return first.delivered;
    }

    private void run(String url) {
        // region queue
        try (Perdure perdure = Perdure.open(url)) { // "jdbc:sqlite:app.db" or "jdbc:postgresql://db/app"
            MessageQueue mail = perdure.createQueue("mail");
            mail.send(Json.of("{\"to\": \"ann@example.com\"}")); // on disk when this returns

            for (Delivery delivery : mail.receive(Receiving.upTo(10).waiting(Duration.ofSeconds(20)))) {
                deliver(delivery.body()); // if the process dies here, it is delivered again
                delivery.ack(); // gone for good when this returns
            }
        }
        // endregion
    }

    private void deliver(Json body) {
        delivered.add(body.text());
    }
}
