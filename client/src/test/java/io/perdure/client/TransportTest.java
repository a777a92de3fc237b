package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
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
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransportTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

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
        return new Transport(URI.create("http://127.0.0.1:" + port + "/"), "pd_secret", null, new SystemEnvironment());
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

    private Json send() {
        return transport.send(
                transport.request("POST", "/v1/thing", Json.of("{\"a\": 1.50}"), Map.of("Seen", "yes")), TIMEOUT);
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
            seen.add(exchange.getRequestHeaders().getFirst("Seen"));
            seen.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer(exchange, 200, "{\"b\": 2.0}");
        });

        assertThat(send()).isEqualTo(Json.of("{\"b\": 2.0}"));
        assertThat(seen)
                .containsExactly("POST /v1/thing", "Bearer pd_secret", "application/json", "yes", "{\"a\": 1.50}");
    }

    @Test
    void anAnswerWithoutABodyIsNull() {
        answering((exchange, _) -> answer(exchange, 204, ""));

        assertThat(send()).isEqualTo(Json.NULL);
    }

    @Test
    void aProblemIsThrownAsTheEngineWould() {
        answering((exchange, _) -> answer(exchange, 422, problem(ErrorCode.OUT_OF_BOUNDS)));

        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(this::send);
    }

    @Test
    void whatBrokeOffIsUnknown() {
        // Closed without an answer.
        answering((exchange, _) -> exchange.getRequestBody().readAllBytes());

        assertThrows(ErrorCode.OUTCOME_UNKNOWN, this::send);
        assertThat(asked).hasValue(1);
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
                () -> transport.send(transport.request("GET", "/", null, Map.of()), Duration.ofMillis(300)));
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
            assertThrows(
                    ErrorCode.SERVER_UNREACHABLE, () -> lost.send(lost.request("GET", "/", null, Map.of()), TIMEOUT));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 400, 401, 404, 405, 500})
    void whatIsNoServerOfOursIsSaidToBeSo(int status) {
        answering((exchange, _) -> answer(exchange, status, "<html>\n  Who are <b>you</b>?" + "!".repeat(1_000)));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(this::send)
                .returns(ErrorCode.PROTOCOL_MISMATCH, RefusedException::code)
                .withMessageContaining(status + ", not in words that a Perdure server uses: \"<html> Who are <b>you")
                .withMessageContaining("Is there a Perdure server at this URL?")
                .satisfies(thrown -> assertThat(thrown.what()).hasSizeLessThan(300));
    }

    @ParameterizedTest
    @CsvSource({"502,OUTCOME_UNKNOWN", "503,SERVER_UNREACHABLE", "504,OUTCOME_UNKNOWN", "429,TOO_MANY_REQUESTS"})
    void whatAProxySaysOfAServerThatIsAwayPasses(int status, ErrorCode code) {
        answering((exchange, _) -> answer(exchange, status, "<html>Bad Gateway</html>"));

        assertThrows(code, this::send);
    }

    @Test
    void whoIsInterruptedStaysSo() {
        answering((exchange, _) -> answer(exchange, 200, "1"));
        Thread.currentThread().interrupt();

        assertThrows(ErrorCode.OUTCOME_UNKNOWN, () -> send());
        assertThat(Thread.interrupted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://host", "host:80", "/path", "file:///etc"})
    void onlyUrlsOfHttpAreTaken(String url) {
        assertThrows(
                ErrorCode.INVALID_FIELD, () -> new Transport(URI.create(url), null, null, new SystemEnvironment()));
    }
}
