package io.perdure.sdk.consumer;

import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.Delivery;

/** Told on the thread of a handler which message it has, so that log lines can say so. */
public interface Surroundings {
    /** Nothing around a handler wants to know. */
    Surroundings NONE = new Surroundings() {};

    /** The thread handles this message from now on. */
    default void enter(QueueName queue, Delivery delivery) {}

    /** The handler has ended. */
    default void leave() {}
}
