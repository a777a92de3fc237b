package io.perdure.sdk;

import java.time.Duration;

/**
 * How messages are consumed; part of {@link Limits}.
 *
 * @param concurrency messages that a consumer handles at once, unless it is told another number
 * @param concurrencyMax most messages that a consumer may be told to handle at once, or to keep received beyond those
 * @param handlerLimit how long a handler may take for one message
 * @param handlerLimitMax longest time that a handler may be given
 * @param drain how long a consumer that closes waits for its handlers, before it interrupts them
 */
public record ConsumerLimits(
        int concurrency, int concurrencyMax, Duration handlerLimit, Duration handlerLimitMax, Duration drain) {}
