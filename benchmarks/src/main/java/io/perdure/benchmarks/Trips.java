package io.perdure.benchmarks;

import io.perdure.benchmarks.Stopwatch.Measured;
import io.perdure.benchmarks.Stopwatch.Turn;
import io.perdure.core.store.Effort;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Whole trips through a queue: senders of one message at a time, and receivers that acknowledge what they receive. */
final class Trips {
    static final int SENDERS = 500;
    static final int BATCH = 100;

    /** Messages between their send and their acknowledgement, at most: a backlog that stays in bounds. */
    static final int IN_FLIGHT = 10_000;

    static final Json BODY = Json.of("{\"order\":48151623,\"customer\":\"c-1234567\",\"lines\":[{\"sku\":\"A-17\","
            + "\"count\":2},{\"sku\":\"B-4\",\"count\":1}]}");

    private static final int RECEIVERS = 16;

    private final MessageQueue queue;
    private final Semaphore room;
    private final int groups;
    private final AtomicLong sent = new AtomicLong();
    private final LongAdder acknowledged = new LongAdder();

    Trips(MessageQueue queue, int inFlight) {
        this(queue, inFlight, 0);
    }

    /** @param groups into which the messages go in turn; none where it is 0 */
    Trips(MessageQueue queue, int inFlight, int groups) {
        this.queue = queue;
        this.room = new Semaphore(inFlight);
        this.groups = groups;
    }

    /** Has them run as long as the watch does, counting what is acknowledged. */
    Measured measure(Stopwatch watch, Supplier<Effort> effort) {
        return watch.measure(
                Collections.nCopies(RECEIVERS, (Turn) this::receive),
                Collections.nCopies(SENDERS, (Turn) this::send),
                effort);
    }

    /** How many messages made it so far. */
    long acknowledged() {
        return acknowledged.sum();
    }

    /** Lets senders that wait for room see that it is over. */
    void wake() {
        room.release(SENDERS);
    }

    /** Receives what is left; answers how much that was. */
    long drain() {
        return Stopwatch.exhaust(Collections.nCopies(RECEIVERS, this::receive));
    }

    /** Has so many messages make it, and no more: receivers stay until nothing is left to be sent, or to be received. */
    void carry(int messages) {
        AtomicLong left = new AtomicLong(messages);
        List<Turn> turns = new ArrayList<>();
        turns.addAll(Collections.nCopies(SENDERS, () -> left.getAndDecrement() > 0 ? send() : 0));
        turns.addAll(Collections.nCopies(RECEIVERS, () -> receive() > 0 || left.get() > 0 ? 1 : 0));
        Stopwatch.exhaust(turns);
        // A send that took longer than a receiver waits was answered after the last of them had left.
        drain();
        if (acknowledged() != messages) {
            throw new IllegalStateException("Of " + messages + " messages " + acknowledged() + " made it.");
        }
    }

    private int send() throws InterruptedException {
        room.acquire();
        return queue.send(message()).created() ? 1 : 0;
    }

    private Outgoing message() {
        Outgoing message = Outgoing.of(BODY);
        return groups == 0 ? message : message.group("g" + sent.getAndIncrement() % groups);
    }

    private int receive() {
        List<Delivery> deliveries = queue.receive(Receiving.upTo(BATCH).waiting(Duration.ofMillis(100)));
        if (!queue.ackAll(deliveries).isEmpty()) {
            throw new IllegalStateException("a lease was lost");
        }
        acknowledged.add(deliveries.size());
        room.release(deliveries.size());
        return deliveries.size();
    }
}
