package io.perdure.benchmarks;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/** How long a message takes from before its send to its arrival at a receiver that waits, when nothing else happens. */
final class IdleTimes {
    /** Long enough for the receiver to be back at its wait. */
    private static final Duration PAUSE = Duration.ofMillis(3);

    private static final Duration WAIT = Duration.ofSeconds(10);

    private IdleTimes() {}

    static Spread measure(MessageQueue queue, Pace pace) {
        Environment environment = new SystemEnvironment();
        BlockingQueue<Long> arrivals = new LinkedBlockingQueue<>();
        AtomicBoolean over = new AtomicBoolean();
        Thread receiver = environment.start("bench-receiver", () -> {
            while (!over.get()) {
                for (Delivery delivery : queue.receive(Receiving.upTo(1).waiting(WAIT))) {
                    arrivals.add(environment.nanoTime());
                    delivery.ack();
                }
            }
        });
        try {
            List<Long> times = new ArrayList<>();
            long start = environment.nanoTime();
            long measuredFrom = start + pace.warmUp().toNanos();
            long end = measuredFrom + pace.span().toNanos();
            for (long sent = start; sent < end; sent = environment.nanoTime()) {
                queue.send(Trips.BODY);
                long taken = arrivals.take() - sent;
                if (sent >= measuredFrom) {
                    times.add(taken);
                }
                environment.sleep(PAUSE);
            }
            // By a last message and not by an interrupt, which would cut the connection of whoever is asking.
            over.set(true);
            queue.send(Trips.BODY);
            receiver.join();
            return Spread.of(times);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted.", e);
        }
    }
}
