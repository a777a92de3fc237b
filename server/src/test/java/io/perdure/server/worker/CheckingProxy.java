package io.perdure.server.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.perdure.server.AnswerCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Passes requests on to a server on the loopback, and compares each request and answer with the OpenAPI document. */
final class CheckingProxy implements AutoCloseable {
    /** Headers of one connection. */
    private static final Set<String> NOT_PASSED_ON =
            Set.of("connection", "content-length", "host", "http2-settings", "transfer-encoding", "upgrade");

    private final int port;
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpServer server;

    CheckingProxy(int port) throws IOException {
        this.port = port;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::passOn);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Returns what differed from the document. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    /** Returns the method and path of each request that was answered well. */
    Set<String> seen() {
        return Set.copyOf(seen);
    }

    private void passOn(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            HttpResponse<byte[]> answer = client.send(request(exchange, body), BodyHandlers.ofByteArray());
            check(exchange, new String(body, StandardCharsets.UTF_8), answer);
            answer.headers().map().forEach((name, values) -> {
                if (isPassedOn(name)) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void check(HttpExchange exchange, String body, HttpResponse<byte[]> answer) {
        String method = exchange.getRequestMethod();
        String target = exchange.getRequestURI().toString();
        String answered = new String(answer.body(), StandardCharsets.UTF_8);
        AnswerCheck.requestFaults(method, target, body)
                .forEach(fault -> faults.add(method + " " + target + " request " + fault + ": " + body));
        AnswerCheck.faults(new AnswerCheck.Seen(
                        method,
                        target,
                        answer.statusCode(),
                        answer.headers()
                                .firstValue("Content-Type")
                                .orElse("none")
                                .replaceAll(";.*", ""),
                        answered))
                .forEach(fault -> faults.add(method + " " + target + " answer " + fault + ": " + answered));
        if (answer.statusCode() == 200) {
            seen.add(method + " " + exchange.getRequestURI().getPath());
        }
    }

    private HttpRequest request(HttpExchange exchange, byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (isPassedOn(name)) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    private static boolean isPassedOn(String header) {
        return !NOT_PASSED_ON.contains(header.toLowerCase(Locale.ROOT));
    }

    @Override
    public void close() {
        server.stop(0);
        client.shutdownNow();
        threads.shutdownNow();
    }
}
