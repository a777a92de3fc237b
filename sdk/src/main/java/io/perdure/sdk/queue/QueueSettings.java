package io.perdure.sdk.queue;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * How a queue treats its messages.
 *
 * @param visibility how long a received message stays with its receiver unless the receive says otherwise
 * @param retries redeliveries after the first delivery: 3 retries are 4 deliveries
 * @param deadLetters whether a message that used up its deliveries is kept in {@code <queue>.dlq}; if not it is deleted
 * @param retention how long a message is kept from when it is ready: sent, retried or redriven
 * @param deadLetterRetention how long a dead letter is kept
 * @param maxDelay the longest delay that a send or retry may ask for
 */
public record QueueSettings(
        Duration visibility,
        int retries,
        boolean deadLetters,
        Duration retention,
        Duration deadLetterRetention,
        Duration maxDelay) {
    private static final Limits.Queues LIMITS = Limits.defaults().queues();
    private static final QueueSettings DEFAULTS = new QueueSettings(
            LIMITS.visibilityDefault(),
            LIMITS.retriesDefault(),
            true,
            LIMITS.retentionDefault(),
            LIMITS.deadLetterRetention(),
            LIMITS.delayDefault());

    public QueueSettings {
        within("visibility", visibility, Duration.ofMillis(1), LIMITS.visibilityMax());
        within("retention", retention, LIMITS.retentionMin(), LIMITS.retentionMax());
        within("deadLetterRetention", deadLetterRetention, LIMITS.retentionMin(), LIMITS.retentionMax());
        within("maxDelay", maxDelay, Duration.ZERO, LIMITS.delayMax());
        if (retries < 0 || retries > LIMITS.retriesMax()) {
            throw outOfBounds("retries", retries, 0, LIMITS.retriesMax());
        }
    }

    public static QueueSettings defaults() {
        return DEFAULTS;
    }

    /** The same with another visibility. */
    public QueueSettings visibility(Duration other) {
        return new QueueSettings(other, retries, deadLetters, retention, deadLetterRetention, maxDelay);
    }

    /** The same with another number of redeliveries. */
    public QueueSettings retries(int other) {
        return new QueueSettings(visibility, other, deadLetters, retention, deadLetterRetention, maxDelay);
    }

    /** The same, keeping what used up its deliveries, or not. */
    public QueueSettings deadLetters(boolean kept) {
        return new QueueSettings(visibility, retries, kept, retention, deadLetterRetention, maxDelay);
    }

    /** The same with another retention. */
    public QueueSettings retention(Duration other) {
        return new QueueSettings(visibility, retries, deadLetters, other, deadLetterRetention, maxDelay);
    }

    /** The same with another retention of dead letters. */
    public QueueSettings deadLetterRetention(Duration other) {
        return new QueueSettings(visibility, retries, deadLetters, retention, other, maxDelay);
    }

    /** The same with another longest delay. */
    public QueueSettings maxDelay(Duration other) {
        return new QueueSettings(visibility, retries, deadLetters, retention, deadLetterRetention, other);
    }

    /** How often a message is delivered before it is given up. */
    public int deliveries() {
        return retries + 1;
    }

    private static void within(String setting, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw outOfBounds(setting, value, min, max);
        }
        // Every database keeps milliseconds; what it rounded would read back as other settings.
        if (!value.truncatedTo(ChronoUnit.MILLIS).equals(value)) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS,
                    "Queue setting \"%s\" is %s; it must be whole milliseconds.".formatted(setting, value));
        }
    }

    private static InvalidValueException outOfBounds(String setting, Object value, Object min, Object max) {
        return new InvalidValueException(
                ErrorCode.OUT_OF_BOUNDS,
                "Queue setting \"%s\" is %s; it must lie between %s and %s.".formatted(setting, value, min, max));
    }
}
