package io.perdure.sdk;

import java.time.Duration;

/**
 * How much one request over HTTP may ask for, and how long it may take; part of {@link Limits}.
 *
 * @param resultWaitMax longest wait of a request for a run's end
 * @param historyWaitMax longest wait of a request for the next event of a run
 * @param headWithin how long a connection may take for its first byte, and a request for its headers; also how long a connection without a key may rest
 * @param keptWithin how long a server that stops waits for requests that are on their way on connections that are kept open
 * @param quietWithin how long a connection with a key may rest between two requests
 * @param bodyWithin how long a body may take to come, or an answer to go
 * @param pageDefault how many elements a page of a list has unless the request says
 * @param pageMax most elements of a page
 * @param pageBytes a page of runs, events, steps, signals or messages ends once it has so many
 * @param named most receipts or messages that one request names
 * @param partsAtOnce most starts of bulk requests that are under way at the same time, of all requests together
 * @param lineBytes longest request line
 * @param headersBytes most bytes of a request's headers
 */
public record RestLimits(
        Duration resultWaitMax,
        Duration historyWaitMax,
        Duration headWithin,
        Duration keptWithin,
        Duration quietWithin,
        Duration bodyWithin,
        int pageDefault,
        int pageMax,
        int pageBytes,
        int named,
        int partsAtOnce,
        int lineBytes,
        int headersBytes) {}
