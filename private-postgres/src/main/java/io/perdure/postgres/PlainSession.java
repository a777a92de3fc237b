package io.perdure.postgres;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A session without a driver: enough to see that a server answers, and to run a statement whose rows nobody reads. */
final class PlainSession implements AutoCloseable {
    static final String USER = "perdure";

    private static final int PROTOCOL_3_0 = 3 << 16;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    private PlainSession(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** Throws {@link PostgresError} when the server refuses, {@link UncheckedIOException} when there is none. */
    static PlainSession open(int port, String database) {
        try {
            Socket socket = new Socket();
            try {
                socket.connect(Loopback.at(port));
                PlainSession session = new PlainSession(socket);
                session.begin(database);
                return session;
            } catch (IOException | RuntimeException e) {
                socket.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("No session at port %s.".formatted(port), e);
        }
    }

    /** Runs it to its end; throws {@link PostgresError} when the server refuses. */
    void execute(String sql) {
        try {
            new WireMessage('Q', (sql + "\0").getBytes(StandardCharsets.UTF_8)).write(out);
            out.flush();
            awaitReady();
        } catch (IOException e) {
            throw new UncheckedIOException("The session ended during: " + sql, e);
        }
    }

    private void begin(String database) throws IOException {
        byte[] words = "user\0%s\0database\0%s\0\0".formatted(USER, database).getBytes(StandardCharsets.UTF_8);
        byte[] body = ByteBuffer.allocate(Integer.BYTES + words.length)
                .putInt(PROTOCOL_3_0)
                .put(words)
                .array();
        WireMessage.writeBody(out, body);
        out.flush();
        awaitReady();
    }

    private void awaitReady() throws IOException {
        WireMessage message = WireMessage.read(in);
        while (message.type() != 'Z') {
            if (message.type() == 'E') {
                throw new PostgresError(message.errorField('C'), message.errorField('M'));
            }
            if (message.type() == 'R' && message.firstInt() != 0) {
                throw new PostgresError("28000", "a password is wanted, and there is none");
            }
            message = WireMessage.read(in);
        }
    }

    @Override
    public void close() {
        try (socket) {
            new WireMessage('X', new byte[0]).write(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("The session could not be ended.", e);
        }
    }
}
