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

/** Messages that are received by what is in them, and a handful of which some are acknowledged and the rest given back. */
final class MatchingExample {
    private final List<String> told = new ArrayList<>();

    private MatchingExample() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tell("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Prints papers out of a queue in the store of this URL; tells what happened. */
    static List<String> tell(String url) {
        MatchingExample example = new MatchingExample();
        try (Perdure perdure = Perdure.open(url)) {
            MessageQueue papers = perdure.createQueue("papers");
            papers.send(Json.of("{\"kind\": \"letter\", \"pages\": 1}"));
            papers.send(Json.of("{\"kind\": \"invoice\", \"pages\": 2}"));
            papers.send(Json.of("{\"kind\": \"invoice\", \"pages\": 500}"));
            example.receive(papers);
            example.settle(papers);
        }
        return example.told;
    }

    private void receive(MessageQueue papers) {
        // region match
        Json part = Json.of("{\"kind\": \"invoice\", \"pages\": 500}"); // these members, and maybe more
        for (Delivery delivery : papers.receive(Receiving.upTo(10).matching(part))) {
            told.add("at night: " + delivery.body());
            delivery.ack();
        }
        // endregion
    }

    private void settle(MessageQueue papers) {
        // region batch
        List<Delivery> deliveries = papers.receive(Receiving.upTo(10).visibility(Duration.ofMinutes(5)));
        try {
            for (Delivery delivery : deliveries) {
                print(delivery.body());
                delivery.ack();
            }
        } catch (IllegalStateException e) {
            papers.retryAll(
                    deliveries, Duration.ofMinutes(1), String.valueOf(e.getMessage())); // those not acknowledged
        }
        // endregion
        deliveries.forEach(delivery -> told.add(delivery.body() + ", settled: " + delivery.isSettled()));
        told.add(papers.status().figures().out() + " out, "
                + papers.status().figures().retried() + " retried");
    }

    private static void print(Json body) {
        if (body.contains(Json.of("{\"pages\": 2}"))) {
            throw new IllegalStateException("out of paper");
        }
    }
}
