package io.perdure.sdk.consumer;

import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.logging.LineContext;
import io.perdure.sdk.logging.LogKey;
import io.perdure.sdk.queue.Delivery;

/** Has the log lines of a handler say whose they are: message, queue and attempt. */
public record LoggedMessages(LineContext context) implements Surroundings {
    @Override
    public void enter(QueueName queue, Delivery delivery) {
        context.put(LogKey.MESSAGE, delivery.id().toString());
        context.put(LogKey.QUEUE, queue.value());
        context.put(LogKey.ATTEMPT, Integer.toString(delivery.attempts()));
    }

    @Override
    public void leave() {
        context.remove(LogKey.MESSAGE, LogKey.QUEUE, LogKey.ATTEMPT);
    }
}
