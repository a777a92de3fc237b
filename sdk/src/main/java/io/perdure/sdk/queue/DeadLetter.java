package io.perdure.sdk.queue;

import io.perdure.sdk.id.QueueName;
import java.time.Instant;

/**
 * How a message became a dead letter.
 *
 * @param origin the queue it was in
 * @param deliveries how often it was delivered there since it was sent or redriven
 */
public record DeadLetter(QueueName origin, Reason reason, Instant at, int deliveries) {
    /** Why a message was given up. */
    public enum Reason {
        DELIVERIES_USED_UP,
        REJECTED
    }
}
