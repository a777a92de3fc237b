package io.perdure.sdk;

import java.time.Duration;

/**
 * How messages are consumed; part of {@link Limits}.
 *
 * @param concurrency messages that a consumer handles at once, unless it is told another number
 * @param concurrencyMax most messages that a consumer may be told to handle at once, or to keep received beyond those
 * @param prefetchMax most messages that a consumer keeps received beyond those that it handles, unless it is told a number
 * @param backoffBase delay after the first failure of a message, unless the consumer's options say otherwise
 * @param backoffMax longest of these delays, which double with each failure
 * @param backoffJitter share of these delays that is random
 * @param handlerLimit how long a handler may take for one message
 * @param handlerLimitMax longest time that a handler may be given
 * @param drain how long a consumer that closes waits for its handlers, before it interrupts them
 */
public record ConsumerLimits(
        int concurrency,
        int concurrencyMax,
        int prefetchMax,
        Duration backoffBase,
        Duration backoffMax,
        double backoffJitter,
        Duration handlerLimit,
        Duration handlerLimitMax,
        Duration drain) {
    static final ConsumerLimits DEFAULTS = new ConsumerLimits(
            16,
            10_000,
            1_000,
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            0.2,
            Duration.ofMinutes(15),
            Duration.ofHours(12),
            Duration.ofSeconds(30));
}
