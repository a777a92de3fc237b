package io.perdure.server.http;

import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;

/**
 * Closes a connection after an answer that says so, and where the caller has asked for it. The web server writes and reads the header, but goes on to read:
 * what is left of a refused body would then be the next request, with whatever headers its sender has put there.
 */
public final class Goodbye implements Filter {
    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        chain.proceed();
        if (response.headers().containsToken(HeaderValues.CONNECTION_CLOSE)
                || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
            throw new CloseConnectionException("The answer was the last one of this connection.");
        }
    }
}
