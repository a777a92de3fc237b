package io.perdure.postgres;

import io.perdure.postgres.CuttingProxy.Cut;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One connection through the proxy. A thread carries requests to the server, another carries the answers back; whichever ends
 * first closes both sides, except that a delayed request keeps the server's side open.
 */
final class CutConnection {
    private static final int CANCEL_REQUEST = 80_877_102;
    private static final int SSL_REQUEST = 80_877_103;
    private static final int GSS_REQUEST = 80_877_104;

    private final CuttingProxy proxy;
    private final Socket client;
    private final Socket server;
    private final DataInputStream fromClient;
    private final DataOutputStream toClient;
    private final DataInputStream fromServer;
    private final DataOutputStream toServer;
    private final Map<String, String> statements = new HashMap<>();
    private final CompletableFuture<Boolean> lastAnswer = new CompletableFuture<>();

    /** How many ReadyForQuery are owed and were seen; the first one ends the log-in. */
    private int owed = 1;

    private int seen;

    /** After so many the client hears nothing more. */
    private int heard = Integer.MAX_VALUE;

    /** The one that {@link #lastAnswer} waits for. */
    private int awaited = Integer.MAX_VALUE;

    CutConnection(CuttingProxy proxy, Socket client, Socket server) throws IOException {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        this.fromClient = new DataInputStream(new BufferedInputStream(client.getInputStream()));
        this.toClient = new DataOutputStream(new BufferedOutputStream(client.getOutputStream()));
        this.fromServer = new DataInputStream(new BufferedInputStream(server.getInputStream()));
        this.toServer = new DataOutputStream(new BufferedOutputStream(server.getOutputStream()));
    }

    /** Carries requests until one side goes or a request is cut. */
    void carryRequests() {
        try {
            if (!logIn()) {
                close();
                return;
            }
            while (true) {
                Request request = Request.read(fromClient, statements);
                Optional<Cut> cut = proxy.cutFor(request);
                if (cut.isPresent()) {
                    perform(cut.get(), request);
                    return;
                }
                forward(request);
            }
        } catch (IOException e) {
            // One side went away: so does the other.
            close();
        }
    }

    /** Passes the first packet on; false if the client wanted no more than to cancel something. */
    private boolean logIn() throws IOException {
        byte[] packet = WireMessage.readBody(fromClient);
        int code = code(packet);
        while (code == SSL_REQUEST || code == GSS_REQUEST) {
            toClient.writeByte('N');
            toClient.flush();
            packet = WireMessage.readBody(fromClient);
            code = code(packet);
        }
        WireMessage.writeBody(toServer, packet);
        toServer.flush();
        return code != CANCEL_REQUEST;
    }

    private static int code(byte[] packet) throws IOException {
        if (packet.length < Integer.BYTES) {
            throw new IOException("The first packet of the client is cut short.");
        }
        return ByteBuffer.wrap(packet).getInt();
    }

    private void perform(Cut cut, Request request) throws IOException {
        switch (cut) {
            case BEFORE_SERVER -> {}
            case DURING -> {
                // A quick server could answer before the connection is gone.
                hearNoMoreThanIsOwed();
                forward(request);
            }
            case AFTER_COMMIT -> {
                hearNoMoreThanIsOwed();
                forwardAndAwait(request);
            }
            case DELAY -> {
                hearNothing();
                proxy.hold(() -> deliver(request));
                proxy.done();
                client.close();
                return;
            }
        }
        proxy.done();
        close();
    }

    /** Sends what was held back, and waits for its answer; false if the server is gone. */
    private boolean deliver(Request request) {
        try {
            return forwardAndAwait(request);
        } catch (IOException e) {
            return false;
        } finally {
            close();
        }
    }

    private void forward(Request request) throws IOException {
        if (request.isAnswered()) {
            oweAnswer();
        }
        request.write(toServer);
    }

    /** Waits until the server has answered; false if it is gone. */
    private boolean forwardAndAwait(Request request) throws IOException {
        awaited(oweAnswer());
        request.write(toServer);
        return lastAnswer.join();
    }

    /** Carries answers until the server goes. */
    void carryAnswers() {
        try {
            while (true) {
                WireMessage answer = WireMessage.read(fromServer);
                if (isHeard()) {
                    answer.write(toClient);
                    if (fromServer.available() == 0) {
                        toClient.flush();
                    }
                }
                if (answer.type() == 'Z') {
                    countAnswer();
                }
            }
        } catch (IOException e) {
            // One side went away: so does the other.
            close();
        } finally {
            lastAnswer.complete(false);
            proxy.forget(this);
        }
    }

    private synchronized int oweAnswer() {
        return ++owed;
    }

    private synchronized void awaited(int answer) {
        awaited = answer;
    }

    private synchronized void countAnswer() {
        seen++;
        if (seen == awaited) {
            lastAnswer.complete(true);
        }
    }

    private synchronized boolean isHeard() {
        return seen < heard;
    }

    private synchronized void hearNoMoreThanIsOwed() {
        heard = owed;
    }

    private synchronized void hearNothing() {
        heard = 0;
    }

    void close() {
        try (client;
                server) {
            proxy.forget(this);
        } catch (IOException e) {
            throw new UncheckedIOException("A connection through the proxy could not be closed.", e);
        }
    }
}
