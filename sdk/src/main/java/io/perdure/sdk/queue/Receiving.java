package io.perdure.sdk.queue;

import io.perdure.sdk.Limits;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.Match;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How to receive: {@code Receiving.upTo(10).waiting(Duration.ofSeconds(20))}. What is out of bounds is {@code PD-007}.
 *
 * @param max how many messages at most
 * @param visibility how long they stay with the receiver; absent for what the queue's settings say
 * @param waiting how long to wait for a first message where there is none
 * @param match what the body of a message must {@linkplain Json#contains contain}; absent where any will do
 */
public record Receiving(
        int max,
        @Nullable Duration visibility,
        Duration waiting,
        @Nullable Json match) {
    public Receiving {
        QueueBounds.received(max);
        QueueBounds.waited(waiting);
        if (visibility != null) {
            QueueBounds.lease(visibility);
        }
        if (match != null) {
            // Held to the bounds that the match of an event has.
            Match.containing(match);
        }
    }

    /** Up to 10 messages that are there now, for as long as the queue's settings say. */
    public static Receiving defaults() {
        return upTo(Limits.defaults().queues().receiveDefault());
    }

    /** Up to so many messages that are there now, for as long as the queue's settings say. */
    public static Receiving upTo(int max) {
        return new Receiving(max, null, Duration.ZERO, null);
    }

    /** The same, with messages that stay with the receiver for so long. */
    public Receiving visibility(Duration length) {
        return new Receiving(max, length, waiting, match);
    }

    /** The same, waiting up to so long where there is no message yet. */
    public Receiving waiting(Duration atMost) {
        return new Receiving(max, visibility, atMost, match);
    }

    /**
     * The same, for messages whose body {@linkplain Json#contains contains} this part: an object with these members and maybe more.
     * {@code PD-007} where it is too much to look for, {@code PD-003} where it is too large.
     *
     * <p>The bodies are examined here, in their order, at most 1,000 in one look. Every receive begins at the first message: one that does
     * not wait sees no more than one look does, and one that waits goes on until it has seen all that could be delivered, or its time is
     * over, so that what lies behind more than that is never found by it. A consumer goes on where its last receive ended. A queue where
     * few of many messages are asked for is better split into several. A message that has used up its deliveries is given up by a receive
     * that it fits; one that fits nobody's match stays in the way of its group until somebody receives without one.
     */
    public Receiving matching(Json part) {
        return new Receiving(max, visibility, waiting, part);
    }
}
