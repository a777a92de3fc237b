package io.perdure.sdk.consumer;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.MessageHandler;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The consumers of one engine, which are closed together. Safe for many threads. */
public final class Consumers implements AutoCloseable {
    private final Environment environment;
    private final Set<QueueConsumer> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** None yet. */
    public Consumers(Environment environment) {
        this.environment = environment;
    }

    /** Has the messages of a queue handled until the answer, or this, is closed; {@code PD-203} where this is. */
    public QueueConsumer consume(
            QueueBackend backend, ConsumeOptions options, MessageHandler handler, Surroundings surroundings) {
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(handler, "handler");
        QueueConsumer consumer = QueueConsumer.start(
                new QueueConsumer.Setup(backend, options, handler, environment, surroundings), open::remove);
        open.add(consumer);
        if (closed) {
            // In between, by who did not see this one.
            consumer.close();
            throw new StoreException(ErrorCode.STORE_CLOSED, "This engine was closed.");
        }
        return consumer;
    }

    /** The longest time that one of them gives its handlers when it is closed; zero without consumers. */
    public Duration longestDrain() {
        return open.stream()
                .map(QueueConsumer::drain)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /** Closes all of them, and those that are started later. See {@link #closeAll}. */
    @Override
    public void close() {
        closeAll(List.of(this));
    }

    /** Closes all consumers of all of these: their times to drain run side by side, and so do the times that handlers have after that. */
    public static void closeAll(Collection<Consumers> all) {
        all.forEach(each -> each.closed = true);
        List<QueueConsumer> closing =
                all.stream().flatMap(each -> each.open.stream()).toList();
        closing.forEach(QueueConsumer::stop);
        closing.stream()
                .sorted(Comparator.comparingLong(QueueConsumer::nanosToDrain))
                .forEach(QueueConsumer::cutOff);
        closing.forEach(QueueConsumer::close);
    }
}
