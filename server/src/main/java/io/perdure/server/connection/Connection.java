package io.perdure.server.connection;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.socket.SocketWriter;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import io.perdure.sdk.id.TenantId;
import io.perdure.server.http.CallerConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One connection: one virtual thread that reads requests, answers them and waits for the next. What it waits for decides how long it may be silent; the {@link Listener}
 * looks at that, and closes it from outside. All else is HTTP, and the web server's.
 */
final class Connection implements ConnectionContext, CallerConnection, Runnable {
    /** What the connection of the current thread is. */
    private static final ScopedValue<Connection> HERE = ScopedValue.newInstance();

    /** What is waited for. */
    private enum Stage {
        /** The handshake and the first byte. */
        FIRST,
        /** The headers of a request that has begun. */
        HEAD,
        /** The answer. */
        ANSWER,
        /** The next request. */
        NEXT,
        /** That the caller closes as well, after the last answer: to close with something unread could destroy that answer on its way. */
        CALLERS_END
    }

    private final Listener listener;
    private final SocketChannel channel;
    private final long acceptedNanos;
    private final AtomicReference<@Nullable ConnectionEnd> end = new AtomicReference<>();
    private volatile boolean proven;
    private volatile boolean last;
    private volatile Stage stage = Stage.FIRST;
    private volatile long stageNanos;
    /** What to do if the caller hangs up; null if the request did not ask. */
    private final AtomicReference<@Nullable Runnable> hangUp = new AtomicReference<>();

    private volatile long hangUpNanos;
    private volatile boolean gone;
    private volatile @Nullable Wire wire;

    /** What bytes come and go by, once the handshake is done. */
    private record Wire(HelidonSocket socket, RequestBytes bytes, DataReader reader, AnswerBytes answers) {}

    Connection(Listener listener, SocketChannel channel) {
        this.listener = listener;
        this.channel = channel;
        this.acceptedNanos = listener.nanoTime();
        this.stageNanos = acceptedNanos;
    }

    /** Returns the connection whose thread this is, if it is one. */
    static Optional<Connection> current() {
        return HERE.isBound() ? Optional.of(HERE.get()) : Optional.empty();
    }

    @Override
    public void run() {
        try {
            serve();
        } catch (CloseConnectionException | InterruptedException e) {
            listener.log(Level.TRACE, "A connection ended.", e);
        } catch (IOException | UncheckedIOException e) {
            broke(e);
        } catch (RuntimeException e) {
            listener.log(Level.ERROR, "A connection ended by a fault in Perdure.", e);
        } finally {
            closeInOrder();
            end(ConnectionEnd.CLOSED);
            listener.ended(this, Objects.requireNonNull(end.get()));
        }
    }

    private void serve() throws IOException, InterruptedException {
        HelidonSocket socket = listener.open(channel);
        RequestBytes bytes = new RequestBytes(socket, this::arrived, this::broke);
        wire = new Wire(
                socket, bytes, DataReader.create(bytes), new AnswerBytes(SocketWriter.create(socket), this::broke));
        ScopedValue.where(HERE, this)
                .where(CallerConnection.CURRENT, this)
                .<@Nullable Void, InterruptedException>call(() -> {
                    listener.serve(this);
                    return null;
                });
    }

    private void closeInOrder() {
        Wire open = wire;
        if (open == null || isOver()) {
            return;
        }
        enter(Stage.CALLERS_END);
        try {
            if (open.socket().isSecure()) {
                open.socket().close();
                return;
            }
            channel.shutdownOutput();
            while (open.bytes().get() != null) {
                // Dropped: the answer before was the last one.
            }
        } catch (IOException | UncheckedIOException e) {
            listener.log(Level.DEBUG, "A connection could not be closed in order.", e);
        }
    }

    private void enter(Stage next) {
        stageNanos = listener.nanoTime();
        stage = next;
    }

    /** Some bytes have come: of a body, or of the headers, which then must go on to come. */
    private void arrived() {
        if (stage == Stage.FIRST || stage == Stage.NEXT) {
            enter(Stage.HEAD);
        }
    }

    /** The headers are read. */
    void answers() {
        enter(Stage.ANSWER);
    }

    /** The answer is sent. */
    void answered() {
        hangUp.set(null);
        enter(Stage.NEXT);
    }

    /**
     * Gives it a place of its own, because a caller with a key is at the other end. Throws {@code PD-605} if its tenant may have no more; then it ends after that answer.
     *
     * @throws CloseConnectionException if its place was given to another connection before
     */
    void prove(TenantId tenant) {
        if (!proven) {
            last = true;
            listener.connections().prove(this, tenant);
            last = false;
            proven = true;
        }
        if (isOver()) {
            throw new CloseConnectionException("The place of this connection was given to another one.");
        }
    }

    /** Whether the answer that is sent next is the last one, and has to say so. */
    boolean isLast() {
        return last || listener.isStopping();
    }

    /** Whether nothing more can be read from it or sent. */
    boolean isOver() {
        return end.get() != null;
    }

    /** Whether no request is in progress. */
    boolean isIdle() {
        return stage != Stage.HEAD && stage != Stage.ANSWER;
    }

    /** Whether something has come that is not read yet. */
    boolean hasArrivals() {
        try {
            return channel.isOpen() && channel.socket().getInputStream().available() > 0;
        } catch (IOException e) {
            listener.log(Level.DEBUG, "A connection broke.", e);
            return false;
        }
    }

    long idleSince() {
        return stageNanos;
    }

    /** Begins to look for it only after a while, since most waits are short. One action at a time. */
    @Override
    public Registration onHangUp(Runnable action) {
        hangUpNanos = listener.nanoTime();
        hangUp.set(action);
        if (gone || isOver()) {
            hangUp();
        }
        return () -> hangUp.compareAndSet(action, null);
    }

    private void callerGone() {
        gone = true;
        hangUp();
    }

    private void hangUp() {
        Runnable action = hangUp.getAndSet(null);
        if (action != null) {
            action.run();
        }
    }

    /** Looks whether it has been silent for too long, or its caller has gone. */
    void check(long now, ConnectionTimeouts timeouts) {
        // The stage first: its time is written before it, and may already be that of a later one, which does no harm.
        Stage seen = stage;
        long waited = now - stageNanos;
        long most = switch (seen) {
            case FIRST, HEAD, CALLERS_END -> timeouts.head().toNanos();
            case NEXT -> (proven ? timeouts.quiet() : timeouts.head()).toNanos();
            case ANSWER -> Long.MAX_VALUE;
        };
        if (waited > most) {
            end(ConnectionEnd.SILENT);
        }
        Wire open = wire;
        if (open != null && hangUp.get() != null && now - hangUpNanos > Listener.LOOK.toNanos()) {
            open.bytes().watch(this::callerGone);
        }
    }

    private void broke(Exception e) {
        if (end.get() == null) {
            listener.log(Level.DEBUG, "A connection broke.", e);
        }
        end(ConnectionEnd.BROKEN);
    }

    /** Closes it, whatever it does now. The reason that came first counts. */
    void end(ConnectionEnd why) {
        if (end.compareAndSet(null, why)) {
            try {
                channel.close();
            } catch (IOException e) {
                listener.log(Level.DEBUG, "A connection could not be closed.", e);
            }
        }
    }

    private Wire wire() {
        Wire open = wire;
        if (open == null) {
            throw new IllegalStateException("The connection is not open yet.");
        }
        return open;
    }

    @Override
    public HelidonSocket serverSocket() {
        return wire().socket();
    }

    @Override
    public DataReader dataReader() {
        return wire().reader();
    }

    @Override
    public DataWriter dataWriter() {
        return wire().answers();
    }

    @Override
    public ListenerContext listenerContext() {
        return listener.context();
    }

    @Override
    public ExecutorService executor() {
        return listener.context().executor();
    }

    @Override
    public Router router() {
        return listener.router();
    }

    @Override
    public PeerInfo remotePeer() {
        return serverSocket().remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return serverSocket().localPeer();
    }

    @Override
    public boolean isSecure() {
        return serverSocket().isSecure();
    }

    @Override
    public String socketId() {
        return serverSocket().socketId();
    }

    @Override
    public String childSocketId() {
        return serverSocket().childSocketId();
    }
}
