package io.perdure.core.queue;

import io.perdure.core.logging.LogContext;
import io.perdure.sdk.consumer.Surroundings;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.logging.LogKey;
import io.perdure.sdk.queue.Delivery;

/** Puts message, queue and attempt into SLF4J's MDC, so that the log lines of a handler say whose they are. */
final class LoggedDelivery implements Surroundings {
    /** The same, or nothing at all where no logging is set up. */
    static Surroundings ifLogging() {
        return LogContext.isThere() ? new LoggedDelivery() : Surroundings.NONE;
    }

    @Override
    public void enter(QueueName queue, Delivery delivery) {
        LogContext.put(LogKey.MESSAGE, delivery.id().toString());
        LogContext.put(LogKey.QUEUE, queue.value());
        LogContext.put(LogKey.ATTEMPT, Integer.toString(delivery.attempts()));
    }

    @Override
    public void leave() {
        LogContext.remove(LogKey.MESSAGE, LogKey.QUEUE, LogKey.ATTEMPT);
    }
}
