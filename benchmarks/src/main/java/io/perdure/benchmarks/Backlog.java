package io.perdure.benchmarks;

import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Sending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/** Messages that wait in a queue, and how quickly a consumer deals with them: from its start until all are acknowledged for good. */
final class Backlog {
    /** Sends that are under way at once while the queue is filled. */
    private static final int AT_ONCE = 64;

    /** Far longer than any store takes, so that one that loses a message ends the benchmark. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private Backlog() {}

    /** What a consumer gets done in a second of so many messages that wait, with a handler that has nothing to do. */
    static double perSecond(Engine engine, int messages, ConsumeOptions options) {
        fill(engine, messages, _ -> Outgoing.of(Trips.BODY));
        Environment environment = new SystemEnvironment();
        CountDownLatch handled = new CountDownLatch(messages);
        long from = environment.nanoTime();
        try (QueueConsumer _ = engine.consume(options, _ -> handled.countDown())) {
            if (!handled.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("After %s the consumer had not handled %s of %s messages."
                        .formatted(PATIENCE, handled.getCount(), messages));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted.", e);
        }
        // Closing has waited for the last acknowledgements.
        return messages / ((environment.nanoTime() - from) / 1e9);
    }

    /** Puts messages into the queue, by their number. */
    static void fill(Engine engine, long messages, LongFunction<Outgoing> message) {
        List<Sending> underWay = new ArrayList<>();
        List<Outgoing> next = new ArrayList<>();
        for (long number = 0; number < messages; number++) {
            next.add(message.apply(number));
            if (next.size() == Trips.BATCH || number == messages - 1) {
                underWay.add(engine.queue().sendLater(next));
                next = new ArrayList<>();
            }
            if (underWay.size() == AT_ONCE) {
                underWay.forEach(Sending::await);
                underWay.clear();
            }
        }
        underWay.forEach(Sending::await);
    }

    /** A message that is ready some time within the next 12 hours, which a number spreads evenly. */
    static Outgoing delayed(long number, long messages) {
        Duration twelveHours = Duration.ofHours(12);
        return Outgoing.of(Trips.BODY).delay(Duration.ofMillis(1 + twelveHours.toMillis() * number / (messages + 1)));
    }
}
