package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.wire.ProblemJson;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server of HTTP on this machine that answers what it was told to, in that order, and remembers what it was asked. */
final class ScriptedServer implements AutoCloseable {
    private final HttpServer http;
    /** Of the operating system: it answers while a test holds every carrier of virtual threads. */
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final Queue<Turn> turns = new ConcurrentLinkedQueue<>();
    private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
    private volatile Turn otherwise = answer(500, "nothing is scripted for this request");

    /** What came. */
    record Asked(
            String method,
            String target,
            String body,
            @Nullable String request,
            @Nullable String again,
            @Nullable String consumer,
            @Nullable String key,
            @Nullable String accept) {
        /** Method and target, as in {@code GET /v1/runs}. */
        String line() {
            return method + " " + target;
        }
    }

    /** How one request is answered. */
    interface Turn {
        void answer(HttpExchange exchange) throws IOException, InterruptedException;
    }

    ScriptedServer() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.setExecutor(threads);
        http.createContext("/", this::meet);
        http.start();
    }

    private void meet(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        asked.add(new Asked(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toASCIIString(),
                body,
                exchange.getRequestHeaders().getFirst("Perdure-Request"),
                exchange.getRequestHeaders().getFirst("Perdure-Again"),
                exchange.getRequestHeaders().getFirst("Perdure-Consumer"),
                exchange.getRequestHeaders().getFirst("Authorization"),
                exchange.getRequestHeaders().getFirst("Accept")));
        Turn turn = turns.poll();
        try {
            (turn == null ? otherwise : turn).answer(exchange);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    ScriptedServer then(Turn... more) {
        turns.addAll(List.of(more));
        return this;
    }

    /** Answers so what nothing else is scripted for. */
    ScriptedServer otherwise(Turn turn) {
        otherwise = turn;
        return this;
    }

    /** Answers the next request with this JSON. */
    ScriptedServer then(String json) {
        return then(answer(200, json));
    }

    static Turn answer(int status, String body) {
        return exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) {
                exchange.getResponseBody().write(bytes);
            }
        };
    }

    /** Answers with an error, as a server of ours would. */
    static Turn problem(int status, PerdureException error) {
        return answer(status, ProblemJson.write(error, status).text());
    }

    /** The same, and when to come again. */
    static Turn problem(int status, PerdureException error, int retryAfterSeconds) {
        return exchange -> {
            exchange.getResponseHeaders().add("Retry-After", Integer.toString(retryAfterSeconds));
            problem(status, error).answer(exchange);
        };
    }

    /** Takes the request, and hangs up without a word. */
    static Turn dropped() {
        return HttpExchange::close;
    }

    /** Does not answer before that has happened. */
    static Turn held(CountDownLatch until, Turn then) {
        return exchange -> {
            until.await(60, TimeUnit.SECONDS);
            then.answer(exchange);
        };
    }

    /** Answers line by line. */
    static Turn lines(String... lines) {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                for (String line : lines) {
                    body.write((line + "\n").getBytes(StandardCharsets.UTF_8));
                    body.flush();
                }
            }
        };
    }

    /** Begins to answer line by line, and hangs up. */
    static Turn brokenOff(String line) {
        return exchange -> {
            exchange.sendResponseHeaders(200, 1_000_000);
            exchange.getResponseBody().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        };
    }

    List<Asked> asked() {
        return List.copyOf(asked);
    }

    /** What came so far is not to be told of any more. */
    void forget() {
        asked.clear();
    }

    /** The only request that came since this was asked before. */
    Asked only() {
        List<Asked> all = asked();
        asked.clear();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    PerdureClient client() {
        return client(
                ConnectOptions.defaults().key("pd_test").patience(Duration.ofSeconds(60)), new SystemEnvironment());
    }

    PerdureClient client(ConnectOptions options, Environment environment) {
        return PerdureClient.over(url(), options, environment, RemoteWork::begin);
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
