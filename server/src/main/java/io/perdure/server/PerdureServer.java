package io.perdure.server;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.core.store.Stores;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RestLimits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.logging.Logs;
import io.perdure.server.http.ConnectionOptions;
import io.perdure.server.http.Goodbye;
import io.perdure.server.http.KeyGate;
import io.perdure.server.http.Pages;
import io.perdure.server.http.Problems;
import io.perdure.server.http.Release;
import io.perdure.server.http.RequestFigures;
import io.perdure.server.http.RequestLog;
import io.perdure.server.http.UnderWay;
import io.perdure.server.http.Waiting;
import io.perdure.server.rest.AtOnce;
import io.perdure.server.rest.Rest;
import io.perdure.server.rest.Site;
import io.perdure.server.telemetry.Watching;
import io.perdure.server.worker.WorkerRoutes;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The engine behind a port: a store that programs in any language reach over HTTP, and that remote workers take their runs from. The
 * server keeps the store's runs up to date; it works on none, unless workflows are registered with its {@link #engine}.
 */
public final class PerdureServer implements AutoCloseable {
    private static final System.Logger LOG = Logs.of(PerdureServer.class);
    private static final RestLimits LIMITS = Limits.defaults().rest();

    private final ServerOptions options;
    private final Perdure engine;
    private final Waiting waiting;
    private final UnderWay underWay;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final StoreWatch store;
    private final WorkerRoutes workers;
    private final Watching watching;
    private final WebServer web;

    private PerdureServer(
            ServerOptions options, Perdure engine, Watching watching, Duration outcomeWait, Duration quietWithin) {
        this.options = options;
        this.engine = engine;
        this.watching = watching;
        this.waiting = new Waiting(options.maxWaiting());
        this.underWay = new UnderWay(options.maxRequests());
        this.store = new StoreWatch(engine, new SystemEnvironment());
        Exposure.require(options, engine.keys());
        KeyGate gate = new KeyGate(engine.keys(), Exposure.isReachedFromHereOnly(options));
        Site site = new Site(
                engine::tenant,
                gate,
                engine.keys(),
                waiting,
                underWay,
                new Pages(),
                new AtOnce(new SystemEnvironment()),
                options.maxBodyBytes(),
                outcomeWait);
        Rest rest = new Rest(site, this::isReady, () -> watching.text(engine));
        this.workers = new WorkerRoutes(engine::tenant, gate, underWay);
        Filter figures = new RequestFigures(
                watching.figures().registry(), underWay::count, () -> waiting.count() + workers.waiting());
        this.web = web(options, quietWithin, routing -> {
                    routing.addFilter(figures);
                    routing.addFilter(new RequestLog());
                    routing.addFilter(new Goodbye());
                    routing.register(WorkerRoutes.PATH, workers);
                    rest.register(routing);
                    Problems.register(routing);
                })
                .start();
        if (!web.isRunning()) {
            throw new InvalidValueException(
                    ErrorCode.SERVER_SETTINGS,
                    "The server cannot listen at %s, port %s.".formatted(options.host(), options.port()));
        }
        store.start();
        LOG.log(
                Level.INFO,
                "Perdure " + Release.running() + " serves " + Stores.shown(options.store()) + " at " + url() + ".");
    }

    /**
     * Opens the store and serves it. {@code PD-610} for settings that would make it unsafe, or a port that is taken; whatever opening the store
     * throws.
     */
    public static PerdureServer start(ServerOptions options) {
        Watching watching = watching(options);
        Perdure engine;
        try {
            engine = Perdure.open(
                    options.store(),
                    watching.of(OpenOptions.defaults()
                            .retentionDaysMax(options.maxRetentionDays())
                            .runEventsMax(options.maxRunEvents())
                            .runBytesMax(options.maxRunBytes())
                            .retireEvery(options.sweeperInterval())
                            .drain(options.drain())));
        } catch (RuntimeException e) {
            watching.close();
            throw e;
        }
        return over(options, engine, watching, Site.OUTCOME_WAIT, LIMITS.quietWithin());
    }

    private static Watching watching(ServerOptions options) {
        return Watching.of(options.otlpEndpoint(), options.otlpHeaders().values());
    }

    /** Serves an engine, which is closed with the server, and where it cannot start. */
    static PerdureServer over(ServerOptions options, Perdure engine) {
        return over(options, engine, Site.OUTCOME_WAIT);
    }

    /** The same, where a request that is sent again waits so long for the first to be answered. */
    static PerdureServer over(ServerOptions options, Perdure engine, Duration outcomeWait) {
        return over(options, engine, outcomeWait, LIMITS.quietWithin());
    }

    /** The same, where a connection that is to say something may be quiet for so long. */
    static PerdureServer over(ServerOptions options, Perdure engine, Duration outcomeWait, Duration quietWithin) {
        return over(options, engine, watching(options), outcomeWait, quietWithin);
    }

    private static PerdureServer over(
            ServerOptions options, Perdure engine, Watching watching, Duration outcomeWait, Duration quietWithin) {
        try {
            return new PerdureServer(options, engine.serve(), watching, outcomeWait, quietWithin);
        } catch (RuntimeException e) {
            try (watching;
                    engine) {
                throw e;
            }
        }
    }

    private static WebServer web(ServerOptions options, Duration quietWithin, Consumer<HttpRouting.Builder> routes) {
        WebServerConfig.Builder builder = WebServer.builder()
                .host(options.host())
                .port(options.port())
                .shutdownHook(false)
                .shutdownGracePeriod(options.drain())
                .maxTcpConnections(connections(options))
                .useNio(false)
                .connectionOptions(new ConnectionOptions(quietWithin))
                .protocolsDiscoverServices(false)
                // Bodies that are compressed are refused, and none are sent.
                .contentEncoding(encoding -> encoding.contentEncodingsDiscoverServices(false))
                .addProtocol(Http1Config.builder()
                        .maxPrologueLength(LIMITS.lineBytes())
                        .maxHeadersSize(LIMITS.headersBytes())
                        .build())
                .directHandlers(Problems.ofUnreadable())
                .routing(routes);
        if (options.tls() != null) {
            builder.tls(Certificate.read(options.tls()));
        }
        return builder.build();
    }

    /** Twice as many as may have a request here: the others rest between two. */
    private static int connections(ServerOptions options) {
        return 2 * (options.maxWaiting() + options.maxRequests());
    }

    private boolean isReady() {
        return !closing.get() && store.isThere();
    }

    /** Where it is reached. */
    public URI url() {
        String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
        return URI.create((options.tls() == null ? "http" : "https") + "://" + host + ":" + port());
    }

    /** The port it listens on. */
    public int port() {
        return web.port();
    }

    /** The engine of the tenant {@code default}. */
    public Perdure engine() {
        return engine;
    }

    /** Whether callers have to show a key: there is one, or others than this machine can reach the server. */
    public boolean needsKey() {
        return engine.keys().any() || !Exposure.isReachedFromHereOnly(options);
    }

    /** How many requests wait now for something to happen. */
    int waiting() {
        return waiting.count();
    }

    /** How many requests that carry a body or write are under way now, without those that wait. */
    int underWay() {
        return underWay.count();
    }

    /**
     * Stops in good order: it is no longer ready, takes no more requests, answers those that wait with what there is, lets the others end, and closes the
     * engine. Requests and steps have {@link ServerOptions#drain} together. Closing again does nothing.
     */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            LOG.log(Level.INFO, "Stopping: requests and steps under way may take " + options.drain() + " to end.");
            try (watching;
                    engine) {
                store.close();
                waiting.close();
                engine.endWaits();
                workers.close();
                web.stop();
            }
            LOG.log(Level.INFO, "Stopped.");
        }
    }
}
