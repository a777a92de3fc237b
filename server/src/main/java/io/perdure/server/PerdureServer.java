package io.perdure.server;

import io.helidon.webserver.http.HttpRouting;
import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.core.store.Stores;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.logging.Logs;
import io.perdure.server.connection.ConnectionFilter;
import io.perdure.server.connection.ConnectionTimeouts;
import io.perdure.server.connection.Listener;
import io.perdure.server.connection.PlacingGate;
import io.perdure.server.http.Gate;
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
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The engine behind a port: a store that programs in any language reach over HTTP, and that remote workers take their runs from. The
 * server keeps the store's runs up to date; it works on none, unless workflows are registered with its {@link #engine}.
 */
public final class PerdureServer implements AutoCloseable {
    private static final System.Logger LOG = Logs.of(PerdureServer.class);

    private final ServerOptions options;
    private final Perdure engine;
    private final Waiting waiting;
    private final UnderWay underWay;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final StoreWatch store;
    private final WorkerRoutes workers;
    private final Watching watching;
    private final Listener listener;

    private PerdureServer(
            ServerOptions options,
            Perdure engine,
            Watching watching,
            Duration outcomeWait,
            ConnectionTimeouts timeouts) {
        this.options = options;
        this.engine = engine;
        this.watching = watching;
        this.waiting = new Waiting(options.maxWaiting());
        this.underWay = new UnderWay(options.maxRequests());
        this.store = new StoreWatch(engine, new SystemEnvironment());
        Exposure.require(options, engine.keys());
        Gate gate = new PlacingGate(new KeyGate(engine.keys(), Exposure.isReachedFromHereOnly(options)));
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
        Rest rest = new Rest(site, this::isAlive, this::isReady, () -> watching.text(engine));
        this.workers = new WorkerRoutes(engine::tenant, gate, underWay);
        RequestFigures figures = new RequestFigures(
                watching.figures().registry(), underWay::count, () -> waiting.count() + workers.waiting());
        HttpRouting.Builder routing = HttpRouting.builder()
                .addFilter(figures)
                .addFilter(new RequestLog())
                .addFilter(new ConnectionFilter())
                .register(WorkerRoutes.PATH, workers);
        rest.register(routing);
        Problems.register(routing);
        this.listener = listen(timeouts, routing, figures);
        listener.start();
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
        return start(options, watching(options));
    }

    /** Opens the store and serves it, watched in the given way; the watching is closed with the server, and if the server cannot start. */
    static PerdureServer start(ServerOptions options, Watching watching) {
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
        return over(options, engine, watching, Site.OUTCOME_WAIT, ConnectionTimeouts.defaults());
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
        return over(options, engine, outcomeWait, ConnectionTimeouts.defaults());
    }

    /** Serves an engine with these timeouts of connections. */
    static PerdureServer over(
            ServerOptions options, Perdure engine, Duration outcomeWait, ConnectionTimeouts timeouts) {
        return over(options, engine, watching(options), outcomeWait, timeouts);
    }

    private static PerdureServer over(
            ServerOptions options,
            Perdure engine,
            Watching watching,
            Duration outcomeWait,
            ConnectionTimeouts timeouts) {
        try {
            return new PerdureServer(options, engine.serve(), watching, outcomeWait, timeouts);
        } catch (RuntimeException e) {
            try (watching;
                    engine) {
                throw e;
            }
        }
    }

    private Listener listen(ConnectionTimeouts timeouts, HttpRouting.Builder routing, RequestFigures figures) {
        try {
            return new Listener(
                    new Listener.Options(
                            new InetSocketAddress(options.host(), options.port()),
                            options.tls() == null ? null : Certificate.read(options.tls()),
                            places(),
                            timeouts,
                            options.drain()),
                    routing,
                    Problems.ofUnreadable(figures::countUnreadable),
                    watching.figures().registry());
        } catch (IOException e) {
            throw new InvalidValueException(
                    ErrorCode.SERVER_SETTINGS,
                    "The server cannot listen at %s, port %s: %s."
                            .formatted(options.host(), options.port(), e.getMessage()),
                    e);
        }
    }

    private int places() {
        ConnectionPlaces places = ConnectionPlaces.of(options);
        places.shortage().ifPresent(shortage -> LOG.log(Level.WARNING, shortage.found() + " " + shortage.advice()));
        return places.count();
    }

    /** Whether it does what a process that lives should do: a server that no caller can reach has to be restarted. */
    private boolean isAlive() {
        return closing.get() || listener.isListening();
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
        return listener.port();
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
                listener.close();
            }
            LOG.log(Level.INFO, "Stopped.");
        }
    }
}
