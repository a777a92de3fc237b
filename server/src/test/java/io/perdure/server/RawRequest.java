package io.perdure.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bytes that are sent to a server as they are, whatever it makes of them. */
final class RawRequest {
    /** The server closed the connection without an answer. */
    static final int NO_ANSWER = 0;

    private static final int SHOWN_BYTES = 500;
    private static final int PATIENCE_MILLIS = 90_000;
    private static final int MOST_ANSWER_BYTES = 1024 * 1024;
    private static final Pattern LINE = Pattern.compile("([A-Za-z]+) (\\S+) HTTP/1\\.1\r\n");

    private final byte[] bytes;
    private final boolean breaksOff;

    /**
     * Sends these.
     *
     * @param breaksOff whether the sender says nothing more after them
     */
    RawRequest(byte[] bytes, boolean breaksOff) {
        this.bytes = bytes;
        this.breaksOff = breaksOff;
    }

    static RawRequest of(String text) {
        return new RawRequest(text.getBytes(StandardCharsets.ISO_8859_1), true);
    }

    /** How it begins. */
    @Override
    public String toString() {
        return new String(bytes, 0, Math.min(bytes.length, SHOWN_BYTES), StandardCharsets.ISO_8859_1);
    }

    /** Sends them over a connection of their own; answers the status. Throws where neither an answer nor an end comes in time. */
    int send(int port) throws IOException {
        return ask(port).status();
    }

    /** Sends the bytes over a connection of their own, and returns the answer. Throws if neither an answer nor an end comes in time. */
    RawAnswer ask(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            write(socket);
            return RawAnswer.of(answer(socket.getInputStream()));
        }
    }

    private void write(Socket socket) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            if (breaksOff) {
                socket.shutdownOutput();
            }
        } catch (IOException e) {
            // Refused before all of it was sent, which is as good an answer as any.
            assert e.getMessage() != null;
        }
    }

    private static byte[] answer(InputStream in) throws IOException {
        try {
            return in.readNBytes(MOST_ANSWER_BYTES);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return new byte[0];
        }
    }

    /** The answer with what was asked for; with neither method nor target if the bytes do not begin as HTTP does. */
    AnswerCheck.Seen seen(RawAnswer answer) {
        Matcher line = LINE.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        boolean isHttp = line.lookingAt();
        return new AnswerCheck.Seen(
                isHttp ? line.group(1) : "",
                isHttp ? line.group(2) : "",
                answer.status(),
                answer.mediaType(),
                answer.body());
    }
}
