package io.perdure.server.connection;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;

/**
 * Tells the connection when a request begins and ends, and ends the connection after its last answer: one that says so, or that the caller asked for. The web
 * server writes and reads the header, but goes on to read: what is left of a refused body would then be the next request, with whatever headers its sender has put there.
 */
public final class ConnectionFilter implements Filter {
    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        Connection.current().ifPresent(connection -> {
            connection.answers();
            response.beforeSend(() -> {
                if (connection.isLast()) {
                    response.header(HeaderNames.CONNECTION, "close");
                }
            });
        });
        try {
            chain.proceed();
        } finally {
            Connection.current().ifPresent(Connection::answered);
        }
        if (response.headers().containsToken(HeaderValues.CONNECTION_CLOSE)
                || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
            throw new CloseConnectionException("The answer was the last one of this connection.");
        }
    }
}
