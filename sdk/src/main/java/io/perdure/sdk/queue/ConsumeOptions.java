package io.perdure.sdk.queue;

import io.perdure.sdk.ConsumerLimits;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.workflow.Match;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a queue is consumed: {@code ConsumeOptions.defaults().concurrency(8).retryDelay(Backoff.fixed(Duration.ofSeconds(5)))}. Values out
 * of bounds are refused with {@code PD-007}.
 *
 * @param concurrency how many messages are handled at once
 * @param prefetch how many messages are kept received beyond those that are handled. If absent, the consumer adapts the number by itself:
 *     up to 1,000 while handlers are quick, down to 1 while messages wait long for a handler
 * @param visibility how long a lease lasts, which is renewed while the message is in hand; absent for what the queue's settings say
 * @param handlerLimit how long a handler may take; then it is interrupted. Its message is given back when it throws, or when it has not
 *     ended a second later; until then the message stays leased
 * @param retryDelay how long a message stays out of sight after its handler has failed, by how often it was delivered; cut to what the
 *     queue allows. In a group the later messages wait for it. The default is 1 s, doubled with each delivery up to 1 min, and up to 20 %
 *     more or less at random
 * @param match what the body of a message must {@linkplain Json#contains contain}, see {@link Receiving#matching}; absent where any will
 *     do
 * @param drain how long closing waits for handlers before it interrupts them
 */
public record ConsumeOptions(
        int concurrency,
        @Nullable Integer prefetch,
        @Nullable Duration visibility,
        Duration handlerLimit,
        Backoff retryDelay,
        @Nullable Json match,
        Duration drain) {
    private static final ConsumerLimits LIMITS = Limits.defaults().consumers();
    private static final ConsumeOptions DEFAULTS = new ConsumeOptions(
            LIMITS.concurrency(),
            null,
            null,
            LIMITS.handlerLimit(),
            Backoff.exponential(LIMITS.backoffBase(), LIMITS.backoffMax()).withJitter(LIMITS.backoffJitter()),
            null,
            LIMITS.drain());

    public ConsumeOptions {
        within("Concurrency", concurrency, 1);
        if (prefetch != null) {
            within("Prefetch", prefetch, 0);
        }
        if (visibility != null) {
            QueueBounds.lease(visibility);
        }
        if (!handlerLimit.isPositive() || handlerLimit.compareTo(LIMITS.handlerLimitMax()) > 0) {
            throw outOfBounds("A handler limit of %s is not more than 0 and at most %s."
                    .formatted(handlerLimit, LIMITS.handlerLimitMax()));
        }
        if (match != null) {
            // Held to the bounds that the match of an event has.
            Match.containing(match);
        }
        if (drain.isNegative()) {
            throw outOfBounds("A drain of %s is negative.".formatted(drain));
        }
    }

    /**
     * Returns the default options: 16 messages at once, an adaptive prefetch, 15 min for each handler, 30 s to drain. A message whose
     * handler fails is delivered again after 1 s, then 2 s, 4 s and so on up to 1 min, each up to 20 % more or less at random.
     */
    public static ConsumeOptions defaults() {
        return DEFAULTS;
    }

    /** The same with so many messages handled at once, 1 to 10,000. */
    public ConsumeOptions concurrency(int messages) {
        return new ConsumeOptions(messages, prefetch, visibility, handlerLimit, retryDelay, match, drain);
    }

    /** Returns options under which exactly this many messages are kept received beyond those that are handled: 0 to 10,000. */
    public ConsumeOptions prefetch(int messages) {
        return new ConsumeOptions(concurrency, messages, visibility, handlerLimit, retryDelay, match, drain);
    }

    /** The same with leases that last so long and are renewed. */
    public ConsumeOptions visibility(Duration length) {
        return new ConsumeOptions(concurrency, prefetch, length, handlerLimit, retryDelay, match, drain);
    }

    /** The same with so long for the handling of one message, at most 12 hours. */
    public ConsumeOptions handlerLimit(Duration atMost) {
        return new ConsumeOptions(concurrency, prefetch, visibility, atMost, retryDelay, match, drain);
    }

    /**
     * Returns options with another delay before a message is delivered again whose handler has failed. {@code
     * Backoff.fixed(Duration.ZERO)} delivers it again at once.
     */
    public ConsumeOptions retryDelay(Backoff delay) {
        return new ConsumeOptions(concurrency, prefetch, visibility, handlerLimit, delay, match, drain);
    }

    /** The same for messages whose body {@linkplain Json#contains contains} this part; see {@link Receiving#matching}. */
    public ConsumeOptions matching(Json part) {
        return new ConsumeOptions(concurrency, prefetch, visibility, handlerLimit, retryDelay, part, drain);
    }

    /** The same with so long for handlers to end when the consumer is closed. */
    public ConsumeOptions drain(Duration atMost) {
        return new ConsumeOptions(concurrency, prefetch, visibility, handlerLimit, retryDelay, match, atMost);
    }

    private static void within(String what, int value, int least) {
        if (value < least || value > LIMITS.concurrencyMax()) {
            throw outOfBounds(
                    what + " " + value + " is not between " + least + " and " + LIMITS.concurrencyMax() + ".");
        }
    }

    private static InvalidValueException outOfBounds(String what) {
        return new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, what);
    }
}
