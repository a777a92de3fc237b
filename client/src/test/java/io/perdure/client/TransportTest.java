package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.ProblemJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransportTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Repeat PATIENTLY = Repeat.within(Duration.ofSeconds(30));

    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer server;
    private Transport transport;

    @SuppressWarnings("NullAway.Init") // Opened before each test.
    TransportTest() {}

    /** What a server does with a request. */
    private interface Doing {
        void with(HttpExchange exchange, int time) throws IOException;
    }

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        transport = to(server.getAddress().getPort());
    }

    @AfterEach
    void close() {
        transport.close();
        server.stop(0);
    }

    private static Transport to(int port) {
        return new Transport(URI.create("http://127.0.0.1:" + port + "/"), "pd_secret", new SystemEnvironment());
    }

    private void answering(Doing doing) {
        server.createContext("/", exchange -> {
            try (exchange) {
                doing.with(exchange, asked.incrementAndGet());
            }
        });
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static String problem(ErrorCode code) {
        return ProblemJson.write(ProblemJson.exception(code, "said so."), 400).text();
    }

    private Json send(Repeat how) {
        return transport.send("POST", "/v1/thing", Json.of("{\"a\": 1.50}"), TIMEOUT, how);
    }

    private static void assertThrows(ErrorCode code, ThrowingCallable call) {
        assertThatExceptionOfType(PerdureException.class)
                .isThrownBy(call)
                .satisfies(thrown ->
                        assertThat(thrown.code()).as(thrown.getMessage()).isEqualTo(code));
    }

    @Test
    void requestsCarryTheKeyAndValuesToTheLetter() {
        List<String> seen = new CopyOnWriteArrayList<>();
        answering((exchange, _) -> {
            seen.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            seen.add(exchange.getRequestHeaders().getFirst("Authorization"));
            seen.add(exchange.getRequestHeaders().getFirst("Content-Type"));
            seen.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer(exchange, 200, "{\"b\": 2.0}");
        });

        assertThat(send(Repeat.NEVER)).isEqualTo(Json.of("{\"b\": 2.0}"));
        assertThat(seen).containsExactly("POST /v1/thing", "Bearer pd_secret", "application/json", "{\"a\": 1.50}");
    }

    @Test
    void anAnswerWithoutABodyIsNull() {
        answering((exchange, _) -> answer(exchange, 204, ""));

        assertThat(send(Repeat.NEVER)).isEqualTo(Json.NULL);
    }

    @Test
    void aProblemIsThrownAsTheEngineWouldAndNotTriedAgain() {
        answering((exchange, _) -> answer(exchange, 422, problem(ErrorCode.OUT_OF_BOUNDS)));

        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> send(PATIENTLY));
        assertThat(asked).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void whatPassesIsTriedAgainWhereItMayBe(int status) {
        answering((exchange, time) -> {
            exchange.getResponseHeaders().add("Retry-After", "0");
            answer(exchange, time < 3 ? status : 200, time < 3 ? problem(ErrorCode.STORE_BUSY) : "1");
        });

        assertThrows(ErrorCode.STORE_BUSY, () -> send(Repeat.NEVER));
        assertThat(send(PATIENTLY)).isEqualTo(Json.number(1));
        assertThat(asked).hasValue(3);
    }

    @Test
    void aServerThatSaysWhenIsAskedThenAndNotForLongerThanThereIsPatience() {
        answering((exchange, _) -> {
            exchange.getResponseHeaders().add("Retry-After", "20");
            answer(exchange, 503, problem(ErrorCode.STORE_BUSY));
        });

        assertThrows(ErrorCode.STORE_BUSY, () -> send(Repeat.within(Duration.ofSeconds(5))));
        assertThat(asked).hasValue(1);
    }

    @Test
    void whatBrokeOffIsUnknownUnlessItMayBeRepeated() {
        answering((exchange, time) -> {
            if (time < 3) {
                // Closed without an answer.
                exchange.getRequestBody().readAllBytes();
            } else {
                answer(exchange, 200, "1");
            }
        });

        assertThrows(ErrorCode.OUTCOME_UNKNOWN, () -> send(Repeat.NEVER));
        assertThat(send(PATIENTLY)).isEqualTo(Json.number(1));
    }

    @Test
    void aServerThatDoesNotAnswerInTimeIsUnknown() {
        CountDownLatch over = new CountDownLatch(1);
        answering((exchange, _) -> {
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write('1');
            exchange.getResponseBody().flush();
            awaitUninterruptibly(over);
        });

        assertThrows(
                ErrorCode.OUTCOME_UNKNOWN,
                () -> transport.send("GET", "/", null, Duration.ofMillis(300), Repeat.NEVER));
        over.countDown();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aServerThatIsNotThereWasNeverReached() throws IOException {
        int nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = socket.getLocalPort();
        }
        try (Transport lost = to(nobody)) {
            assertThrows(ErrorCode.SERVER_UNREACHABLE, () -> lost.send("GET", "/", null, TIMEOUT, Repeat.NEVER));
            assertThrows(
                    ErrorCode.SERVER_UNREACHABLE,
                    () -> lost.send("GET", "/", null, TIMEOUT, Repeat.within(Duration.ofMillis(500))));
        }
    }

    @Test
    void whatIsNoServerOfOursIsSaidToBeSo() {
        answering((exchange, _) -> answer(exchange, 502, "<html>Bad Gateway</html>"));

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> send(Repeat.NEVER))
                .withMessageContaining("502");
    }

    @Test
    void whoIsInterruptedStaysSo() {
        answering((exchange, _) -> answer(exchange, 200, "1"));
        Thread.currentThread().interrupt();

        assertThrows(ErrorCode.OUTCOME_UNKNOWN, () -> send(PATIENTLY));
        assertThat(Thread.interrupted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://host", "host:80", "/path", "file:///etc"})
    void onlyUrlsOfHttpAreTaken(String url) {
        assertThrows(ErrorCode.INVALID_FIELD, () -> new Transport(URI.create(url), null, new SystemEnvironment()));
    }
}
