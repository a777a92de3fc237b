package io.perdure.server;

import io.helidon.webserver.WebServer;

/** The engine behind a port. */
public final class PerdureServer {
    private PerdureServer() {}

    static WebServer any() {
        return WebServer.builder()
                .host("127.0.0.1")
                .port(0)
                .routing(r -> r.get("/livez", (_, res) -> res.send("ok")))
                .build()
                .start();
    }
}
