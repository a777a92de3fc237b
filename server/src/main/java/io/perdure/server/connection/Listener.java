package io.perdure.server.connection;

import io.helidon.common.concurrency.limits.FixedLimit;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PlainSocket;
import io.helidon.common.socket.TlsSocket;
import io.helidon.common.tls.Tls;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.micrometer.core.instrument.MeterRegistry;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RestLimits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.logging.SparingLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Listens on a port, and has the web server read and answer the requests of each connection. It accepts connections by itself, because a web server that ends its listener
 * when a descriptor is missing would leave a process that lives and takes no connection. Accepting goes on whatever happens; see {@link Connections} for who stays when there is
 * no room, and {@link ConnectionTimeouts} for how long connections may be silent. Safe for many threads.
 */
public final class Listener implements AutoCloseable {
    /** How often connections are looked at that are silent. */
    static final Duration LOOK = Duration.ofMillis(500);

    private static final Duration LOOK_WHILE_STOPPING = Duration.ofMillis(50);
    private static final Duration SHORTEST_REST = Duration.ofMillis(10);
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);
    private static final int BACKLOG = 1024;
    private static final RestLimits LIMITS = Limits.defaults().rest();
    private static final String HTTP = "http/1.1";
    private static final String NAME = "perdure";

    private final Environment environment = new SystemEnvironment();
    private final SparingLog log = new SparingLog(Listener.class, environment);
    private final Options options;
    private final InetSocketAddress address;
    private final Connections connections;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("perdure-connection-", 0).factory());
    private final ListenerContext context;
    private final Router router;
    private final Http1ConnectionSelector http = Http1ConnectionSelector.builder()
            .config(Http1Config.builder()
                    .maxPrologueLength(LIMITS.lineBytes())
                    .maxHeadersSize(LIMITS.headersBytes())
                    .build())
            .build();
    private final Limit unlimited = FixedLimit.create();
    private final ConnectionFigures figures;
    private final Selector arrivals;
    private final Thread accepting =
            Thread.ofPlatform().name("perdure-listener").unstarted(this::accept);
    private volatile ServerSocketChannel socket;
    private volatile boolean stopping;
    private volatile boolean failing;
    private volatile long failedNanos;

    /**
     * How to listen.
     *
     * @param address with port 0 for any that is free
     * @param tls absent for plain TCP
     * @param places the number of connections that may be open at the same time, at least 2
     * @param drain how long requests in progress may take to end when this is closed
     */
    public record Options(
            InetSocketAddress address, @Nullable Tls tls, int places, ConnectionTimeouts timeouts, Duration drain) {}

    /**
     * Binds the address. Connections are accepted from {@link #start} on.
     *
     * @param unreadable answers what is no request
     * @param meters get figures of the connections
     * @throws IOException if the address cannot be bound
     */
    public Listener(Options options, HttpRouting.Builder routing, DirectHandlers unreadable, MeterRegistry meters)
            throws IOException {
        this.options = options;
        this.connections = new Connections(options.places());
        this.figures = new ConnectionFigures(meters, connections);
        this.router = Router.builder().addRouting(routing).build();
        this.context = new HttpContext(unreadable, threads);
        this.arrivals = Selector.open();
        this.socket = firstBound();
        this.address = (InetSocketAddress) socket.getLocalAddress();
    }

    /** Begins to accept connections. */
    public void start() {
        router.beforeStart();
        accepting.start();
        Thread.ofPlatform().daemon().name("perdure-connections").start(this::look);
    }

    private ServerSocketChannel firstBound() throws IOException {
        try {
            return bound(options.address(), arrivals);
        } catch (IOException | RuntimeException e) {
            arrivals.close();
            throw e;
        }
    }

    private static ServerSocketChannel bound(InetSocketAddress to, Selector arrivals) throws IOException {
        ServerSocketChannel bound = ServerSocketChannel.open();
        try {
            bound.bind(to, BACKLOG);
            // A stop must not have to wait for a connection.
            bound.configureBlocking(false);
            bound.register(arrivals, SelectionKey.OP_ACCEPT);
            return bound;
        } catch (IOException | RuntimeException e) {
            bound.close();
            throw e;
        }
    }

    private void accept() {
        Duration rest = SHORTEST_REST;
        while (!stopping) {
            try {
                // From time to time in any case: nothing else tells that the socket was closed.
                arrivals.select(LONGEST_REST.toMillis());
                boolean _ = Thread.interrupted();
                arrivals.selectedKeys().clear();
                takeAll();
                failing = false;
                rest = SHORTEST_REST;
            } catch (Throwable e) {
                recover(e, rest);
                rest = rest.multipliedBy(2).compareTo(LONGEST_REST) < 0 ? rest.multipliedBy(2) : LONGEST_REST;
            }
        }
        closeSocket();
    }

    private void takeAll() throws IOException, InterruptedException {
        for (SocketChannel channel = socket.accept(); channel != null; channel = stopping ? null : socket.accept()) {
            take(channel);
            failing = false;
        }
    }

    /** Connections that were made and not accepted yet are taken: their requests may be here already. */
    private void closeSocket() {
        try (Selector _ = arrivals;
                ServerSocketChannel _ = socket) {
            long begun = nanoTime();
            SocketChannel channel = socket.accept();
            for (int i = 1; channel != null; i++) {
                take(channel);
                boolean enough = i >= BACKLOG || nanoTime() - begun >= LONGEST_REST.toNanos();
                channel = enough ? null : socket.accept();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            log(Level.DEBUG, "The listener was not closed in order.", e);
        }
    }

    /** Makes room, rests, and listens anew if the socket is gone. Only a stop ends this thread, no interrupt does. */
    private void recover(Throwable why, Duration rest) {
        boolean _ = Thread.interrupted();
        failedNanos = nanoTime();
        failing = true;
        try {
            log(Level.WARNING, "A connection could not be accepted. Trying again.", why);
            connections.evictSome();
            environment.sleep(rest);
            if (!socket.isOpen()) {
                socket = bound(address, arrivals);
            }
        } catch (IOException e) {
            log(Level.WARNING, "The server cannot listen at " + address + ". Trying again.", e);
        } catch (InterruptedException e) {
            log(Level.DEBUG, "A rest was interrupted.", e);
        } catch (RuntimeException | Error e) {
            // Without memory or descriptors even a line of the log can fail. The next round says so.
            why.addSuppressed(e);
        }
    }

    private void take(SocketChannel channel) throws IOException, InterruptedException {
        Connection connection = new Connection(this, channel);
        try {
            connections.enter(connection);
            // The end of an answer would wait until the caller has confirmed its beginning otherwise, for up to 40 ms.
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            threads.execute(connection);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            connection.end(ConnectionEnd.BROKEN);
            ended(connection, ConnectionEnd.BROKEN);
            throw e;
        }
    }

    /** Looks after connections that are silent, until the listener is closed. */
    private void look() {
        try {
            while (!stopping) {
                environment.sleep(LOOK);
                lookOnce();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookOnce() {
        try {
            long now = nanoTime();
            connections.all().forEach(connection -> connection.check(now, options.timeouts()));
        } catch (RuntimeException | Error e) {
            log(Level.ERROR, "Connections could not be looked after. Trying again.", e);
        }
    }

    /** Makes the handshake, if there is one. */
    HelidonSocket open(SocketChannel channel) throws IOException {
        String id = Integer.toHexString(System.identityHashCode(channel));
        Tls tls = options.tls();
        if (tls == null) {
            return PlainSocket.server(channel.socket(), id, NAME);
        }
        SSLSocket secure = (SSLSocket) tls.sslContext().getSocketFactory().createSocket(channel.socket(), null, false);
        secure.setEnabledProtocols(tls.sslParameters().getProtocols());
        secure.setHandshakeApplicationProtocolSelector((_, offered) -> offered.contains(HTTP) ? HTTP : null);
        secure.startHandshake();
        return TlsSocket.server(secure, id, NAME);
    }

    /** Reads and answers requests until the connection ends. */
    void serve(Connection connection) throws InterruptedException {
        http.connection(connection).handle(unlimited);
    }

    void ended(Connection connection, ConnectionEnd why) {
        connections.leave(connection);
        figures.count(why);
    }

    void log(Level level, String line, Throwable thrown) {
        log.log(level, () -> line, thrown);
    }

    long nanoTime() {
        return environment.nanoTime();
    }

    Connections connections() {
        return connections;
    }

    ListenerContext context() {
        return context;
    }

    Router router() {
        return router;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Returns whether callers can connect: not while accepting fails, and not once this is closed. */
    public boolean isListening() {
        boolean failed = failing && nanoTime() - failedNanos < 2 * LONGEST_REST.toNanos();
        return !stopping && !failed && accepting.isAlive() && socket.isOpen();
    }

    /** Returns what it listens with now. */
    ServerSocketChannel socket() {
        return socket;
    }

    /** Returns the port that it listens on. */
    public int port() {
        return address.getPort();
    }

    /**
     * Stops in good order. Connections that were made are served, and none after them. Every answer from now on is the last one of its connection and says so. Connections
     * without a request are closed once there was time for a request that was on its way. What is in progress may take as long as the drain. Closing again does nothing.
     */
    @Override
    public void close() {
        stopping = true;
        long begun = nanoTime();
        try {
            arrivals.wakeup();
            accepting.join();
            await(begun);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.all().forEach(connection -> connection.end(ConnectionEnd.STOPPED));
            threads.shutdownNow();
            router.afterStop();
        }
    }

    private void await(long begun) throws InterruptedException {
        while (connections.count() > 0) {
            long waited = nanoTime() - begun;
            if (waited >= options.drain().toNanos()) {
                return;
            }
            if (waited >= options.timeouts().kept().toNanos()) {
                connections.all().stream()
                        .filter(one -> !one.hasArrivals() && one.isIdle())
                        .forEach(one -> one.end(ConnectionEnd.STOPPED));
            }
            lookOnce();
            connections.awaitNone(LOOK_WHILE_STOPPING.toNanos());
        }
    }
}
