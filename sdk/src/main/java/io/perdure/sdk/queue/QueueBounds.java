package io.perdure.sdk.queue;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import java.time.Duration;

/** Holds what is asked of queues to {@link Limits} before it travels. */
public final class QueueBounds {
    private static final Limits.Queues QUEUES = Limits.defaults().queues();

    private QueueBounds() {}

    /** Throws {@code PD-007} unless one receive may ask for so many messages. */
    public static void received(int max) {
        if (max < 1 || max > QUEUES.receiveMessages()) {
            throw outOfBounds("The number of messages to receive is " + max + "; it must lie between 1 and "
                    + QUEUES.receiveMessages() + ".");
        }
    }

    /** Throws {@code PD-007} unless a receive may wait so long for messages. */
    public static void waited(Duration atMost) {
        if (atMost.isNegative() || atMost.compareTo(QUEUES.waitMax()) > 0) {
            throw outOfBounds("A wait of %s is not between 0 and %s.".formatted(atMost, QUEUES.waitMax()));
        }
    }

    /** Throws {@code PD-007} where no queue allows such a delay. */
    public static void delay(Duration delay) {
        if (delay.isNegative() || delay.compareTo(QUEUES.delayMax()) > 0) {
            throw outOfBounds("A delay of %s is not between 0 and %s.".formatted(delay, QUEUES.delayMax()));
        }
    }

    /** Throws {@code PD-007} unless a lease may last so long. */
    public static void lease(Duration length) {
        if (!length.isPositive() || length.compareTo(QUEUES.visibilityMax()) > 0) {
            throw outOfBounds(
                    "A lease of %s is not more than 0 and at most %s.".formatted(length, QUEUES.visibilityMax()));
        }
    }

    private static InvalidValueException outOfBounds(String what) {
        return new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, what);
    }
}
