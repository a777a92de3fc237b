package io.perdure.server.connection;

import io.perdure.sdk.Limits;
import io.perdure.sdk.RestLimits;
import java.time.Duration;

/**
 * How long connections are waited for.
 *
 * @param head for the first byte of a connection, and for the headers of a request from their first byte on
 * @param quiet for the next request of a caller that has shown a key before
 * @param kept for a last request on connections that are kept open, when the server stops
 */
public record ConnectionTimeouts(Duration head, Duration quiet, Duration kept) {
    /** Returns what holds by default. */
    public static ConnectionTimeouts defaults() {
        RestLimits limits = Limits.defaults().rest();
        return new ConnectionTimeouts(limits.headWithin(), limits.quietWithin(), limits.keptWithin());
    }
}
