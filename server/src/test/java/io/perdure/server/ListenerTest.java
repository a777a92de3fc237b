package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.server.connection.ConnectionTimeouts;
import io.perdure.server.rest.Site;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What connections do that mean harm, that are slow, or that are made by foreign clients. */
class ListenerTest {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: ([0-9]+)");
    private static final String LIVEZ = "GET /livez HTTP/1.1\r\nHost: localhost\r\n";

    @TempDir
    private Path directory;

    private final List<Socket> sockets = new ArrayList<>();
    private @Nullable PerdureServer started;

    private void serve(ServerOptions options, ConnectionTimeouts timeouts) {
        started = PerdureServer.over(options.port(0), Perdure.open(options.store()), Site.OUTCOME_WAIT, timeouts);
    }

    private PerdureServer server() {
        return Objects.requireNonNull(started);
    }

    private ServerOptions options() {
        return ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db"));
    }

    private static ConnectionTimeouts timeouts(Duration head) {
        return new ConnectionTimeouts(head, LONG, Duration.ZERO);
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        if (started != null) {
            started.close();
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        sockets.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Returns all that comes until the server closes the connection. */
    private static String untilClosed(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Returns what is answered, with its body. */
    private static String answer(Socket socket) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as("after %s", answer).isNotNegative();
            answer.append((char) next);
        }
        Matcher length = LENGTH.matcher(answer);
        int bytes = length.find() ? Integer.parseInt(length.group(1)) : 0;
        return answer.append(new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.UTF_8))
                .toString();
    }

    @Test
    void request_whileSilentConnectionsTakeEveryPlace_isAnswered() throws IOException {
        serve(options().maxWaiting(8).maxRequests(8), timeouts(LONG));
        String key = server().engine()
                .keys()
                .create(TenantId.DEFAULT, "test", Role.CLIENT, null)
                .token();
        for (int i = 0; i < 100; i++) {
            connect();
        }

        Socket probe = connect();
        send(probe, LIVEZ + "Connection: close\r\n\r\n");
        assertThat(untilClosed(probe)).startsWith("HTTP/1.1 200 ");
        Socket caller = connect();
        send(caller, "GET /v1/queues HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key + "\r\n\r\n");
        assertThat(answer(caller)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void keptConnectionOfCallerWithKey_whileStrangersCome_staysOpen() throws IOException {
        serve(options().maxWaiting(8).maxRequests(8), timeouts(LONG));
        String key = server().engine()
                .keys()
                .create(TenantId.DEFAULT, "test", Role.CLIENT, null)
                .token();
        String request = "GET /v1/queues HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key + "\r\n\r\n";
        Socket caller = connect();
        send(caller, request);
        assertThat(answer(caller)).startsWith("HTTP/1.1 200 ");

        for (int i = 0; i < 100; i++) {
            Socket stranger = connect();
            send(stranger, LIVEZ + "\r\n");
            assertThat(answer(stranger)).startsWith("HTTP/1.1 200 ");
        }

        send(caller, request);
        assertThat(answer(caller)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void callersWithKeys_whenTheyFillAllPlaces_displaceTheirIdleConnections() throws IOException {
        serve(options().maxWaiting(8).maxRequests(8), timeouts(LONG));
        String key = server().engine()
                .keys()
                .create(TenantId.DEFAULT, "test", Role.CLIENT, null)
                .token();
        for (int i = 0; i < 100; i++) {
            Socket caller = connect();
            send(caller, "GET /v1/queues HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key + "\r\n\r\n");
            assertThat(answer(caller)).startsWith("HTTP/1.1 200 ");
        }
        Socket probe = connect();
        send(probe, LIVEZ + "Connection: close\r\n\r\n");
        assertThat(untilClosed(probe)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void headers_whenSentByteByByte_endTheConnectionAtTheDeadline() throws IOException {
        serve(options(), timeouts(SHORT));
        Socket slow = connect();
        send(slow, "GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
        try (ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor()) {
            ScheduledFuture<?> dripping = drip.scheduleAtFixedRate(
                    () -> {
                        try {
                            send(slow, "x");
                        } catch (IOException e) {
                            throw new IllegalStateException("The server has closed the connection.", e);
                        }
                    },
                    0,
                    20,
                    TimeUnit.MILLISECONDS);
            assertEnds(slow);
            dripping.cancel(true);
        }
    }

    private static void assertEnds(Socket socket) throws IOException {
        try {
            assertThat(untilClosed(socket)).doesNotContain(" 200 ");
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    @Test
    void keptConnectionWithoutKey_whenSilent_endsAtTheDeadline() throws IOException {
        serve(options(), timeouts(SHORT));
        Socket stranger = connect();
        send(stranger, LIVEZ + "\r\n");
        assertThat(untilClosed(stranger)).startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Host: localhost\r\n", "Host: localhost\r\nConnection: keep-alive\r\nAccept: */*\r\n"})
    void requestOfHttp10_isAnswered(String headers) throws IOException {
        serve(options(), timeouts(LONG));
        Socket old = connect();
        send(old, "GET /livez HTTP/1.0\r\n" + headers + "\r\n");

        String answer = untilClosed(old);
        assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("{\"status\":\"alive\"}");
        assertThat(answer.toLowerCase(Locale.ROOT)).contains("connection: close", "content-length: 18");
    }

    @Test
    void requestOfHttp10_withBodyInPieces_isAnswered() throws IOException {
        serve(options(), timeouts(LONG));
        Socket old = connect();
        String body = "{\"name\":\"mails\"}";
        String head = "POST /v1/queues HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer " + key()
                + "\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n";
        for (char one : (head + body).toCharArray()) {
            send(old, String.valueOf(one));
        }

        assertThat(untilClosed(old)).startsWith("HTTP/1.1 201 ").contains("\"mails\"");
    }

    @Test
    void requestOfHttp10_withoutAKey_isTakenForAProxys() throws IOException {
        serve(options(), timeouts(LONG));
        Socket old = connect();
        send(old, "GET /v1/queues HTTP/1.0\r\nHost: localhost\r\n\r\n");

        assertThat(untilClosed(old)).startsWith("HTTP/1.1 401 ").contains("HTTP/1.0", "key create");
    }

    @Test
    void connectionsOfOneTenant_whenAllAreBusy_leavePlacesForOthers() throws IOException {
        serve(options().maxWaiting(8).maxRequests(8), timeouts(LONG));
        String greedy = key(new TenantId("greedy"));
        String other = key(new TenantId("other"));
        for (int i = 0; i < 32; i++) {
            // Waits for the rest of its body, and so is busy.
            Socket busy = connect();
            send(
                    busy,
                    "POST /v1/queues HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + greedy
                            + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n");
        }
        Socket caller = connect();
        send(caller, "GET /v1/queues HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + other + "\r\n\r\n");
        assertThat(answer(caller)).startsWith("HTTP/1.1 200 ");
    }

    private String key() {
        return key(TenantId.DEFAULT);
    }

    private String key(TenantId tenant) {
        return server().engine()
                .keys()
                .create(tenant, "test", Role.CLIENT, null)
                .token();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /livez HTTP/2.0\r\nHost: localhost\r\n\r\n",
                "GET /livez HTTP/1.1\r\n\r\n",
                "GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n",
                "GET /livez HTTP/1.1\r\nHost: localhost\r\nBad Name: x\r\n\r\n",
                "POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
                "nonsense\r\n\r\n"
            })
    void malformedRequest_isToldSo(String request) throws IOException {
        serve(options(), timeouts(LONG));
        Socket foreign = connect();
        send(foreign, request);

        assertThat(untilClosed(foreign))
                .startsWith("HTTP/1.1 400 ")
                .contains("PD-613", "Request is not valid HTTP")
                .doesNotContain("log");
    }

    @Test
    void headersThatAreTooLong_areToldTheBound() throws IOException {
        serve(options(), timeouts(LONG));
        Socket foreign = connect();
        send(foreign, LIVEZ + "X: " + "x".repeat(33 * 1024) + "\r\n\r\n");

        assertThat(untilClosed(foreign)).startsWith("HTTP/1.1 400 ").contains("PD-613", "32768 bytes");
    }

    /** Keeps the lines that are logged for people to see. */
    private static final class Warnings extends Handler {
        private final List<String> lines = new ArrayList<>();

        @Override
        public synchronized void publish(LogRecord line) {
            if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
                lines.add(line.getLoggerName() + ": " + line.getMessage());
            }
        }

        synchronized List<String> lines() {
            return List.copyOf(lines);
        }

        @Override
        public void flush() {
            // Each line is kept at once.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"name\":", "{\"name\":\"mails\"}                    "})
    void connection_whenResetInTheMiddleOfABody_isNotLogged(String beginning) throws IOException {
        serve(options(), timeouts(LONG));
        Warnings warnings = new Warnings();
        Logger root = Logger.getLogger("");
        root.addHandler(warnings);
        try {
            for (int i = 0; i < 20; i++) {
                Socket caller = connect();
                send(
                        caller,
                        "POST /v1/queues HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
                                + beginning);
                Served.until(() -> server().underWay() > 0);
                caller.setSoLinger(true, 0); // Closing resets.
                caller.close();
                Served.until(() -> server().underWay() == 0);
            }
            server().close();
            assertThat(warnings.lines()).isEmpty();
        } finally {
            root.removeHandler(warnings);
        }
    }

    @Test
    void requestOnKeptConnection_whileTheServerStops_isAnsweredAsTheLast() throws IOException {
        serve(options(), new ConnectionTimeouts(LONG, LONG, LONG));
        Socket kept = connect();
        send(kept, LIVEZ + "\r\n");
        assertThat(answer(kept)).startsWith("HTTP/1.1 200 ");
        Socket waiting = connect();
        send(
                waiting,
                "POST /v1/queues HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n");
        Served.until(() -> server().underWay() == 1);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(server()::close);
        Served.until(() -> !isListening());
        send(kept, LIVEZ + "\r\n");
        assertThat(untilClosed(kept).toLowerCase(Locale.ROOT))
                .startsWith("http/1.1 200 ")
                .contains("connection: close");
        kept.close();
        send(waiting, "{\"name\":\"mails\"}");
        assertThat(untilClosed(waiting).toLowerCase(Locale.ROOT))
                .startsWith("http/1.1 201 ")
                .contains("connection: close");
        waiting.close();
        closing.join();
    }

    private boolean isListening() {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), server().port())) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void longPoll_whenItsCallerHangsUp_givesItsPlaceBack() throws IOException {
        serve(options(), timeouts(LONG));
        Run<Json> run = server().engine().start("order", Json.of("1"), StartOptions.defaults());
        String wait = "GET /v1/runs/" + run.id() + "/result?wait=60 HTTP/1.1\r\nHost: localhost\r\n\r\n";
        Socket patient = connect();
        send(patient, wait);
        Served.until(() -> server().waiting() == 1);
        Socket gone = connect();
        send(gone, wait);
        Served.until(() -> server().waiting() == 2);

        gone.close();

        Served.until(() -> server().waiting() == 1);
        server().engine().cancel(run.id(), "enough");
        // The wait that began first is not over yet.
        assertThat(answer(patient)).contains("cancelled");
    }

    @Test
    void idleConnections_whileTheServerStops_doNotHoldItUp() throws IOException {
        serve(options(), timeouts(LONG));
        Socket kept = connect();
        send(kept, LIVEZ + "\r\n");
        assertThat(answer(kept)).startsWith("HTTP/1.1 200 ");
        connect();

        server().close();

        assertThat(untilClosed(kept)).isEmpty();
    }
}
