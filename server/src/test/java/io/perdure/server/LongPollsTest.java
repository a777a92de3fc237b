package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of requests wait at once, each at the price of a small object, and all of them are answered. */
class LongPollsTest {
    private static final int POLLS = 5_000;
    private static final long MOST_BYTES_EACH = 40 * 1024;
    private static final int PATIENCE_MILLIS = 60_000;
    private static final String NOTHING = "{\"messages\":[]}";
    private static final String BODY = "{\"max\":1,\"wait\":20}";
    private static final byte[] REQUEST =
            ("POST /v1/queues/mails/receive HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                            + BODY.length() + "\r\n\r\n" + BODY)
                    .getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path directory;

    private PerdureServer server;
    private MessageQueue queue;
    private final List<Socket> polls = new ArrayList<>();

    @BeforeEach
    void serve() {
        server = PerdureServer.start(
                ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db")).port(0));
        queue = server.engine().createQueue("mails");
    }

    @AfterEach
    void close() throws IOException {
        for (Socket poll : polls) {
            poll.close();
        }
        server.close();
    }

    @Test
    void idlePollsCostLittleAndAreAnsweredByOneSend() throws IOException {
        poll(1);
        long before = usedBytes();
        poll(POLLS - 1);
        long each = (usedBytes() - before) / POLLS;
        assertThat(each).as("bytes for each poll").isLessThan(MOST_BYTES_EACH);

        List<Outgoing> hundred = IntStream.range(0, 100)
                .mapToObj(i -> Outgoing.of(Json.number(i)))
                .toList();
        for (int sent = 0; sent < POLLS; sent += hundred.size()) {
            queue.sendAll(hundred);
        }

        for (Socket poll : polls) {
            String answer = answer(poll);
            while (answer.equals(NOTHING)) {
                // It had waited for as long as it may when the messages came.
                ask(poll);
                answer = answer(poll);
            }
            assertThat(answer).contains("\"receipt\"");
        }
    }

    @Test
    void idlePollsAreAnsweredWhenTheServerCloses() throws IOException {
        poll(POLLS);
        server.close();
        for (Socket poll : polls) {
            assertThat(answer(poll)).isEqualTo(NOTHING);
        }
    }

    /** Has so many more wait, all of them at the same time; those who have waited for as long as they may ask again. */
    private void poll(int count) throws IOException {
        int waiting = polls.size() + count;
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
            socket.setSoTimeout(PATIENCE_MILLIS);
            ask(socket);
            polls.add(socket);
        }
        Served.until(() -> {
            try {
                askAgain();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return server.waiting() == waiting;
        });
    }

    private static void ask(Socket socket) throws IOException {
        socket.getOutputStream().write(REQUEST);
    }

    private void askAgain() throws IOException {
        for (Socket poll : polls) {
            if (poll.getInputStream().available() > 0) {
                assertThat(answer(poll)).isEqualTo(NOTHING);
                ask(poll);
            }
        }
    }

    private static String answer(Socket socket) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        assertThat(in.readLine()).isEqualTo("HTTP/1.1 200 OK");
        int length = -1;
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring("Content-Length: ".length()));
            }
        }
        char[] body = new char[length];
        int read = 0;
        while (read < length) {
            int more = in.read(body, read, length - read);
            assertThat(more).as("the answer goes on").isPositive();
            read += more;
        }
        return new String(body);
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
