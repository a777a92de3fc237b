package io.perdure.core.queue;

import io.perdure.core.logging.LogContext;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import org.slf4j.MDC;

/** Puts message, queue and attempt into SLF4J's MDC, so that the log lines of a handler say whose they are. */
final class LoggedDelivery {
    static final String MESSAGE = "perdure.message";
    static final String QUEUE = "perdure.queue";
    static final String ATTEMPT = "perdure.attempt";

    private final boolean logging = LogContext.isThere();

    void enter(MessageQueue queue, Delivery delivery) {
        if (logging) {
            MDC.put(MESSAGE, delivery.id().toString());
            MDC.put(QUEUE, queue.name().value());
            MDC.put(ATTEMPT, Integer.toString(delivery.attempts()));
        }
    }

    void leave() {
        if (logging) {
            MDC.remove(MESSAGE);
            MDC.remove(QUEUE);
            MDC.remove(ATTEMPT);
        }
    }
}
