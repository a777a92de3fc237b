package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueStatus;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.StartOptions;
import io.perdure.server.connection.ConnectionTimeouts;
import io.perdure.server.rest.Site;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of connections, byte by byte: those that end, those that say nothing more, and those that are cut. */
class ConnectionsTest {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final String HIDDEN_BODY = "{\"name\":\"smuggled\"}";

    /** A request as it could stand in the body of another. */
    private static final String HIDDEN =
            "POST /v1/queues HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + "Content-Length: "
                    + HIDDEN_BODY.length() + "\r\n\r\n" + HIDDEN_BODY;

    @TempDir
    private Path directory;

    private PerdureServer server;
    private Socket socket;

    @BeforeEach
    void serve() throws IOException {
        serve(ConnectionTimeouts.defaults());
    }

    private void serve(ConnectionTimeouts timeouts) throws IOException {
        String store = "jdbc:sqlite:" + directory.resolve("store.db");
        server = PerdureServer.over(
                ServerOptions.of(store).port(0).drain(Duration.ofSeconds(5)),
                Perdure.open(store),
                Site.OUTCOME_WAIT,
                timeouts);
        socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        server.close();
    }

    private void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** All that comes until the server closes; throws where it does not. */
    private String untilClosed() throws IOException {
        StringBuilder all = new StringBuilder();
        try {
            byte[] some = new byte[4096];
            for (int count = socket.getInputStream().read(some);
                    count >= 0;
                    count = socket.getInputStream().read(some)) {
                all.append(new String(some, 0, count, StandardCharsets.UTF_8));
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("The server did not close. It said: " + all, e);
        } catch (SocketException e) {
            // It closed while there was more to read, which is an end as well.
            assertThat(all).as(e.toString()).isNotEmpty();
        }
        return all.toString();
    }

    private void assertNothingWasSmuggled() {
        assertThat(server.engine().queues().stream().map(QueueStatus::name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 20000000",
                "Content-Length: 9000000\r\nExpect: 100-continue",
                "Content-Type: text/plain\r\nOrigin: https://evil.example\r\nContent-Length: 17000000"
            })
    void theBodyOfARefusedRequestIsNoRequest(String headers) throws IOException {
        String type = headers.contains("Content-Type") ? "" : "Content-Type: application/json\r\n";
        send("POST /v1/queues HTTP/1.1\r\nHost: localhost\r\n" + type + headers + "\r\n\r\n" + HIDDEN);

        String answer = untilClosed();
        assertThat(answer).startsWith("HTTP/1.1 4").containsOnlyOnce("HTTP/1.1 ");
        assertThat(answer.toLowerCase(Locale.ROOT)).contains("connection: close");
        assertNothingWasSmuggled();
    }

    @Test
    void whoAsksForTheEndGetsIt() throws IOException {
        send("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" + HIDDEN);

        assertThat(untilClosed()).startsWith("HTTP/1.1 200 ").containsOnlyOnce("HTTP/1.1 ");
        assertNothingWasSmuggled();
    }

    @Test
    void aConnectionIsUsedAgainWhereNobodySaysOtherwise() throws IOException {
        send(
                "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(untilClosed().split("HTTP/1.1 200 ", -1)).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?x", "#x", "?", "*"})
    void whatIsNoPathIsNothingThatTheServerAnswers(String target) throws IOException {
        send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(untilClosed()).startsWith("HTTP/1.1 4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /livez HTTP/1.1\r\nHost: loc", "GET /li", ""})
    void whoSaysNothingMoreIsLeft(String beginning) throws IOException {
        close();
        serve(new ConnectionTimeouts(Duration.ofMillis(300), Duration.ofMillis(300), Duration.ZERO));
        byte[] answer = new byte[0];
        try {
            send(beginning);
            answer = socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            // On a slow machine it is left before it has said anything.
            assertThat(beginning).isNotEmpty();
        }

        assertThat(answer).asString(StandardCharsets.UTF_8).doesNotContain(" 200 ");
    }

    @Test
    void whatWasBegunIsDoneThoughItsCallerHangsUp() throws IOException {
        int runs = 3_000;
        try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
            Collections.nCopies(
                            runs, (Runnable) () -> server.engine().start("bulk", Json.of("1"), StartOptions.defaults()))
                    .forEach(many::execute);
        }
        String body = "{\"action\":\"cancel\"}";
        String request =
                "POST /v1/workflows/bulk/runs/bulk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Accept: application/x-ndjson\r\nConnection: close\r\nPerdure-Request: " + UUID.randomUUID()
                        + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        send(request);
        assertThat(socket.getInputStream().readNBytes(8))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("HTTP/1.1");
        socket.setSoLinger(true, 0); // Closing resets.
        socket.close();

        Served.until(() -> server.engine().count(RunFilter.all().status(RunStatus.CANCELLED)) == runs);
        socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        send(request);
        assertThat(untilClosed()).startsWith("HTTP/1.1 200 ").contains("\"done\":" + runs);
    }

    @Test
    void anAnswerThatNobodyReadsTakesNoPlace() throws IOException {
        MessageQueue queue = server.engine().createQueue("large");
        Json large = Json.string("x".repeat(100_000));
        for (int i = 0; i < 50; i++) {
            queue.sendAll(Collections.nCopies(2, Outgoing.of(large)));
        }
        socket.setReceiveBufferSize(1_024);
        String body = "{\"max\":100}";
        send(
                "POST /v1/queues/large/receive HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body);

        Served.until(() -> queue.status().figures().leased() == 100);
        Served.until(() -> server.underWay() == 0);
    }
}
