package io.perdure.sdk.consumer;

import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.logging.LineContext;
import io.perdure.sdk.logging.LogKey;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.queue.Delivery;

/** Has the log lines of a handler say whose they are: message, queue and attempt. */
public final class LoggedMessages implements Surroundings {
    private LoggedMessages() {}

    /** Where the program has set up no logging, they say nothing. */
    public static Surroundings ifSetUp() {
        return Logs.areSetUp() ? new LoggedMessages() : Surroundings.NONE;
    }

    @Override
    public void enter(QueueName queue, Delivery delivery) {
        LineContext.put(LogKey.MESSAGE, delivery.id().toString());
        LineContext.put(LogKey.QUEUE, queue.value());
        LineContext.put(LogKey.ATTEMPT, Integer.toString(delivery.attempts()));
    }

    @Override
    public void leave() {
        LineContext.remove(LogKey.MESSAGE, LogKey.QUEUE, LogKey.ATTEMPT);
    }
}
