package io.perdure.core.queue;

import io.perdure.core.store.Bounds;
import io.perdure.sdk.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How to receive: {@code Receiving.upTo(10).waiting(Duration.ofSeconds(20))}. What is out of bounds is {@code PD-007}.
 *
 * @param max how many messages at most
 * @param visibility how long they stay with the receiver; absent for what the queue's settings say
 * @param waiting how long to wait for a first message where there is none
 */
public record Receiving(int max, @Nullable Duration visibility, Duration waiting) {
    public Receiving {
        Bounds.received(max);
        Bounds.waited(waiting);
        if (visibility != null) {
            Bounds.lease(visibility);
        }
    }

    /** Up to 10 messages that are there now, for as long as the queue's settings say. */
    public static Receiving defaults() {
        return upTo(Limits.defaults().queues().receiveDefault());
    }

    /** Up to so many messages that are there now, for as long as the queue's settings say. */
    public static Receiving upTo(int max) {
        return new Receiving(max, null, Duration.ZERO);
    }

    /** The same, with messages that stay with the receiver for so long. */
    public Receiving visibility(Duration length) {
        return new Receiving(max, length, waiting);
    }

    /** The same, waiting up to so long where there is no message yet. */
    public Receiving waiting(Duration atMost) {
        return new Receiving(max, visibility, atMost);
    }
}
