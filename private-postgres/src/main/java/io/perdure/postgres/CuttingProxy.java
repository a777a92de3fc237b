package io.perdure.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Stands between a client and Postgres and cuts the line at a chosen moment of a chosen request. It understands as much of the
 * wire protocol as that needs, without encryption. Safe for use by several threads.
 */
public final class CuttingProxy implements AutoCloseable {
    /** When the line is cut. */
    public enum Cut {
        /** The request never reaches the server. */
        BEFORE_SERVER,
        /** The request is sent and the line cut at once: the server may or may not do it. */
        DURING,
        /** The server has answered; the client does not hear it. */
        AFTER_COMMIT,
        /** The client loses its connection, and the request reaches the server only at {@link CuttingProxy#release()}. */
        DELAY
    }

    private record Planned(String sql, Cut when) {}

    private static final String DATABASE = "perdure";

    private final int serverPort;
    private final ServerSocket door;
    private final Set<CutConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger cuts = new AtomicInteger();
    private final List<Planned> planned = new ArrayList<>();
    private final List<BooleanSupplier> held = new ArrayList<>();

    private CuttingProxy(int serverPort, ServerSocket door) {
        this.serverPort = serverPort;
        this.door = door;
    }

    /** Starts a proxy to the server at this port of the loopback network. */
    public static CuttingProxy inFrontOf(int port) {
        try {
            ServerSocket door = new ServerSocket();
            door.bind(Loopback.at(Loopback.freePort()));
            CuttingProxy proxy = new CuttingProxy(port, door);
            Thread.ofVirtual().name("cutting-proxy").start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException("The proxy could not be started.", e);
        }
    }

    /** The JDBC address of the database {@code perdure} through the proxy. */
    public String url() {
        return url(DATABASE);
    }

    /** The JDBC address of another database, which must exist. */
    public String url(String database) {
        return Loopback.url(door.getLocalPort(), database) + "&sslmode=disable&gssEncMode=disable";
    }

    /**
     * Says what happens to the next request that runs something with this text in it: in the statement, however long ago it was
     * prepared, or in the bytes of its parameters. Each call is good for one request, in the order of the calls.
     */
    public void cutNext(String sql, Cut when) {
        synchronized (planned) {
            planned.add(new Planned(sql, when));
        }
    }

    /**
     * Lets the delayed requests through, in the order they came; returns when the server has answered them. Throws {@link
     * IllegalStateException} if there is none, or if the server has gone away from one.
     */
    public void release() {
        List<BooleanSupplier> now;
        synchronized (held) {
            now = List.copyOf(held);
            held.clear();
        }
        if (now.isEmpty()) {
            throw new IllegalStateException("No request is held back.");
        }
        for (BooleanSupplier delivery : now) {
            if (!delivery.getAsBoolean()) {
                throw new IllegalStateException(
                        "The server was gone before it answered the request that was held back.");
            }
        }
    }

    /** How many requests were cut. It has counted before the client notices. */
    public int cuts() {
        return cuts.get();
    }

    Optional<Cut> cutFor(Request request) {
        synchronized (planned) {
            for (Iterator<Planned> each = planned.iterator(); each.hasNext(); ) {
                Planned next = each.next();
                if (request.runs(next.sql())) {
                    each.remove();
                    return Optional.of(next.when());
                }
            }
            return Optional.empty();
        }
    }

    void hold(BooleanSupplier delivery) {
        synchronized (held) {
            held.add(delivery);
        }
    }

    void done() {
        cuts.incrementAndGet();
    }

    void forget(CutConnection connection) {
        connections.remove(connection);
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                connect(door.accept());
            } catch (IOException e) {
                if (!door.isClosed()) {
                    throw new UncheckedIOException("The proxy can accept no more connections.", e);
                }
            }
        }
    }

    /** A client that comes while the server is away is sent away too. */
    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        CutConnection connection;
        try {
            server.connect(Loopback.at(serverPort));
            connection = new CutConnection(this, client, server);
        } catch (IOException e) {
            client.close();
            server.close();
            return;
        }
        connections.add(connection);
        Thread.ofVirtual().name("cutting-proxy-requests").start(connection::carryRequests);
        Thread.ofVirtual().name("cutting-proxy-answers").start(connection::carryAnswers);
        if (door.isClosed()) {
            connection.close();
        }
    }

    /** Cuts all connections; delayed requests are never delivered. Doing so again changes nothing. */
    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The proxy could not be closed.", e);
        }
        List.copyOf(connections).forEach(CutConnection::close);
    }
}
