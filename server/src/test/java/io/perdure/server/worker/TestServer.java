package io.perdure.server.worker;

import io.helidon.webserver.WebServer;
import io.perdure.core.Perdure;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.wire.Terms;
import io.perdure.server.http.Caller;
import io.perdure.server.http.Gate;
import io.perdure.server.http.Problems;
import io.perdure.server.http.UnderWay;
import java.time.Duration;
import java.util.Set;

/** A server on the loopback, over a store of its own, that works on nothing itself. */
final class TestServer implements AutoCloseable {
    static final Gate WORKERS = _ -> new Caller(TenantId.DEFAULT, Role.WORKER, "test");

    /** Stopping returns as soon as every request is answered. This is long enough for answers on a stalled machine. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final Perdure perdure;
    private final WorkerRoutes routes;
    private final WebServer web;

    TestServer(String url) {
        this(url, 0, WORKERS, Set.of(Terms.PROTOCOL));
    }

    TestServer(String url, int port, Gate gate, Set<Integer> protocols) {
        perdure = Perdure.open(url);
        routes = new WorkerRoutes(_ -> perdure, gate, new UnderWay(100), new SystemEnvironment(), protocols);
        web = WebServer.builder()
                .host("127.0.0.1")
                .port(port)
                .directHandlers(Problems.ofUnreadable(_ -> {}))
                .shutdownGracePeriod(GRACE)
                .routing(routing -> {
                    routing.register(WorkerRoutes.PATH, routes);
                    Problems.register(routing);
                })
                .build()
                .start();
    }

    Perdure perdure() {
        return perdure;
    }

    int port() {
        return web.port();
    }

    /** The number of requests that wait for something to happen. */
    int waiting() {
        return routes.waiting();
    }

    @Override
    public void close() {
        routes.close();
        web.stop();
        perdure.close();
    }
}
