package io.perdure.server;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;
import io.perdure.core.Perdure;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.Role;
import io.perdure.server.connection.ConnectionFilter;
import io.perdure.server.http.Caller;
import io.perdure.server.http.ControlledConnection;
import io.perdure.server.http.Pages;
import io.perdure.server.http.Problems;
import io.perdure.server.http.UnderWay;
import io.perdure.server.http.Waiting;
import io.perdure.server.rest.AtOnce;
import io.perdure.server.rest.Rest;
import io.perdure.server.rest.Site;
import java.net.URI;
import java.time.Duration;

/** REST alone, with limits and connections that a test controls; every request is its tenant's administrator's. */
final class RestServer implements AutoCloseable {
    /** Names the tenant of a request, which is the default one otherwise. */
    static final String TENANT = "Test-Tenant";

    private static final HeaderName TENANT_NAME = HeaderNames.create(TENANT);
    private static final Duration OUTCOME_WAIT = Duration.ofHours(1);
    private static final int MAX_BODY_BYTES = 1024 * 1024;

    final ControlledConnection connection = new ControlledConnection();
    final Asking asking;
    private final WebServer web;

    RestServer(Perdure engine, Waiting waiting, UnderWay underWay) {
        Site site = new Site(
                engine::tenant,
                request -> new Caller(
                        request.headers().first(TENANT_NAME).map(TenantId::new).orElse(TenantId.DEFAULT),
                        Role.ADMIN,
                        "test"),
                engine.keys(),
                waiting,
                underWay,
                new Pages(),
                new AtOnce(new SystemEnvironment()),
                MAX_BODY_BYTES,
                OUTCOME_WAIT);
        Rest rest = new Rest(site, () -> true, () -> true, () -> "");
        web = WebServer.builder()
                .host("127.0.0.1")
                .port(0)
                .shutdownHook(false)
                .routing(routing -> {
                    routing.addFilter(new ConnectionFilter());
                    routing.addFilter(connection.filter());
                    rest.register(routing);
                    Problems.register(routing);
                })
                .build()
                .start();
        asking = new Asking(URI.create("http://127.0.0.1:" + web.port()));
    }

    int port() {
        return web.port();
    }

    @Override
    public void close() {
        asking.close();
        web.stop();
    }
}
