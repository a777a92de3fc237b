package io.perdure.server.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Brings each request to another one of several servers on the loopback, in turn. */
final class AlternatingProxy implements AutoCloseable {
    /** Of one connection, or made anew for the other one. */
    private static final Set<String> NOT_PASSED_ON =
            Set.of("connection", "content-length", "host", "http2-settings", "transfer-encoding", "upgrade");

    private final List<Integer> ports;
    private final AtomicInteger requests = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpServer server;

    AlternatingProxy(int... ports) throws IOException {
        this.ports = Arrays.stream(ports).boxed().toList();
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::passOn);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void passOn(HttpExchange exchange) throws IOException {
        int port = ports.get(requests.getAndIncrement() % ports.size());
        try (exchange) {
            HttpResponse<byte[]> answer = client.send(request(exchange, port), BodyHandlers.ofByteArray());
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

    private static HttpRequest request(HttpExchange exchange, int port) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + exchange.getRequestURI()))
                .method(
                        exchange.getRequestMethod(),
                        BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
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
