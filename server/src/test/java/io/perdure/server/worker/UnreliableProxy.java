package io.perdure.server.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A way to a server on the loopback that fails as networks do, and as it is told. */
final class UnreliableProxy implements AutoCloseable {
    /** How it treats what passes. */
    enum Mode {
        /** All is well. */
        PASS,
        /** Connections are cut, and new ones are cut as well. */
        CUT,
        /** Nothing passes in either direction, and nobody is told. */
        STALL,
        /** Requests pass; answers do not, and their connections are cut. */
        SWALLOW
    }

    private final int target;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile Mode mode = Mode.PASS;
    private volatile boolean closed;

    UnreliableProxy(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    void mode(Mode next) {
        lock.lock();
        try {
            mode = next;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (next == Mode.CUT) {
            cutAll();
        }
    }

    private void cutAll() {
        sockets.forEach(UnreliableProxy::close);
        sockets.clear();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = listener.accept();
                if (mode == Mode.CUT) {
                    close(client);
                } else {
                    connect(client);
                }
            } catch (IOException e) {
                if (!closed) {
                    cutAll();
                }
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        sockets.add(client);
        sockets.add(server);
        server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        Thread.ofVirtual().start(() -> carry(client, server, false));
        Thread.ofVirtual().start(() -> carry(server, client, true));
    }

    private void carry(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[16_384];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                awaitPassage();
                if (mode == Mode.CUT || (answers && mode == Mode.SWALLOW)) {
                    return;
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // The other side has gone, or was cut off: that is what this is for.
            sockets.remove(from);
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private void awaitPassage() {
        lock.lock();
        try {
            while (mode == Mode.STALL && !closed) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new AssertionError("a socket that cannot be closed", e);
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        mode(Mode.CUT);
        listener.close();
    }
}
