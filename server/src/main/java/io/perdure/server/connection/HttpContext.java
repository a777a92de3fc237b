package io.perdure.server.connection;

import io.helidon.common.context.Context;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.media.MediaContext;
import io.helidon.webserver.ErrorHandling;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import java.util.concurrent.ExecutorService;

/** What the web server asks of a listener. */
record HttpContext(
        Context context,
        MediaContext mediaContext,
        ContentEncodingContext contentEncodingContext,
        DirectHandlers directHandlers,
        ListenerConfig config,
        ExecutorService executor)
        implements ListenerContext {
    HttpContext(DirectHandlers unreadable, ExecutorService executor) {
        this(
                Context.create(),
                MediaContext.create(),
                // Bodies that are compressed are refused, and none are sent.
                ContentEncodingContext.builder()
                        .contentEncodingsDiscoverServices(false)
                        .build(),
                unreadable,
                WebServerConfig.builder()
                        .protocolsDiscoverServices(false)
                        // What is wrong with a request is told to its caller.
                        .errorHandling(
                                ErrorHandling.builder().includeEntity(true).build())
                        .buildPrototype(),
                executor);
    }
}
