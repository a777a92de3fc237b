package io.perdure.server;

import io.perdure.core.Perdure;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.run.StartOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** What hostile requests are aimed at: a queue, a run and a message that is leased. They end these soon, so there are always new ones. */
final class HostileTargets implements Supplier<Map<String, String>> {
    private static final int ASKED_UNTIL_RENEWED = 50;

    /** That many take turns, so that there are never too many. */
    private static final int QUEUES = 16;

    private final Perdure engine;
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger leased = new AtomicInteger();
    private final AtomicReference<Map<String, String>> parts;

    HostileTargets(Perdure engine) {
        this.engine = engine;
        this.parts = new AtomicReference<>(renewed(0));
    }

    @Override
    public Map<String, String> get() {
        int number = asked.incrementAndGet();
        if (number % ASKED_UNTIL_RENEWED == 0) {
            parts.set(renewed(number / ASKED_UNTIL_RENEWED));
        }
        return parts.get();
    }

    /** How many messages were leased for them. */
    int leased() {
        return leased.get();
    }

    private Map<String, String> renewed(int number) {
        String queue = "target_" + number % QUEUES;
        String run = engine.start("order", Json.of("1"), StartOptions.defaults())
                .id()
                .toString();
        return Map.of("name", queue, "id", run, "event", "paid", "receipt", receipt(queue, run + "." + run));
    }

    /** The receipt of a message of the queue; the other where somebody is faster, and deletes the queue or takes the message. */
    private String receipt(String name, String other) {
        try {
            engine.createQueue(name);
        } catch (PerdureException e) {
            // It is still there, and they have changed it.
            assert e.getMessage() != null;
        }
        try {
            MessageQueue queue = engine.queue(name);
            queue.send(Json.of("1"));
            List<Delivery> received = queue.receive();
            leased.addAndGet(Math.min(1, received.size()));
            return received.isEmpty() ? other : received.getFirst().receipt().toString();
        } catch (PerdureException e) {
            assert e.getMessage() != null;
            return other;
        }
    }
}
