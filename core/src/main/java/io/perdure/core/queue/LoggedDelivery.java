package io.perdure.core.queue;

import io.perdure.core.logging.LogContext;
import io.perdure.sdk.consumer.Surroundings;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.Delivery;
import org.slf4j.MDC;

/** Puts message, queue and attempt into SLF4J's MDC, so that the log lines of a handler say whose they are. */
final class LoggedDelivery implements Surroundings {
    static final String MESSAGE = "perdure.message";
    static final String QUEUE = "perdure.queue";
    static final String ATTEMPT = "perdure.attempt";

    /** The same, or nothing at all where no logging is set up. */
    static Surroundings ifLogging() {
        return LogContext.isThere() ? new LoggedDelivery() : Surroundings.NONE;
    }

    @Override
    public void enter(QueueName queue, Delivery delivery) {
        MDC.put(MESSAGE, delivery.id().toString());
        MDC.put(QUEUE, queue.value());
        MDC.put(ATTEMPT, Integer.toString(delivery.attempts()));
    }

    @Override
    public void leave() {
        MDC.remove(MESSAGE);
        MDC.remove(QUEUE);
        MDC.remove(ATTEMPT);
    }
}
