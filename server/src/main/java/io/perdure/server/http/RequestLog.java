package io.perdure.server.http;

import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.perdure.sdk.logging.LineContext;
import io.perdure.sdk.logging.LogKey;

/**
 * Has the log lines of a request say whose it is, from where that is known to where it is answered. A connection has one thread for all its
 * requests, so that what one has said must be gone before the next. Put it before all other filters.
 */
public final class RequestLog implements Filter {
    private static final LogKey[] SAID = {LogKey.TENANT, LogKey.REQUEST, LogKey.RUN, LogKey.WORKFLOW, LogKey.QUEUE};
    private static final int LONGEST = 128;

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        LineContext.remove(SAID);
        try {
            chain.proceed();
        } finally {
            LineContext.remove(SAID);
        }
    }

    /** From here on lines say so. What is not checked yet may be anything, but not as long as it likes. */
    public static void say(LogKey key, String value) {
        LineContext.put(key, value.length() <= LONGEST ? value : value.substring(0, LONGEST));
    }
}
