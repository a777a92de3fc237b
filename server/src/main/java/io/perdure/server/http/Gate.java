package io.perdure.server.http;

import io.helidon.webserver.http.ServerRequest;

/** Decides who may come in. */
public interface Gate {
    /** Who is asking; {@code PD-601} where the request shows no key that is valid. */
    Caller admit(ServerRequest request);
}
