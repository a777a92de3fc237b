package io.perdure.server.telemetry;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.perdure.sdk.id.RunId;
import io.perdure.server.worker.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A collector on this machine: takes spans over OTLP/HTTP and reads them out of their protobuf. */
public final class Collector implements AutoCloseable {
    private final HttpServer http;
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final List<Map<String, String>> origins = new CopyOnWriteArrayList<>();
    private final List<Map<String, List<String>>> headers = new CopyOnWriteArrayList<>();

    public Collector() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.createContext("/v1/traces", exchange -> {
            try (exchange) {
                headers.add(Map.copyOf(exchange.getRequestHeaders()));
                ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
                request.getResourceSpansList().forEach(of -> {
                    origins.add(of.getResource().getAttributesList().stream()
                            .collect(Collectors.toMap(
                                    KeyValue::getKey,
                                    attribute -> attribute.getValue().getStringValue())));
                    of.getScopeSpansList().forEach(scope -> spans.addAll(scope.getSpansList()));
                });
                exchange.sendResponseHeaders(200, -1);
            }
        });
        http.start();
    }

    public URI url() {
        return URI.create("http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":"
                + http.getAddress().getPort());
    }

    /** What is said of who sent something, each time that it did. */
    List<Map<String, String>> origins() {
        return origins;
    }

    /** What came with each request, by the names of the headers. */
    List<Map<String, List<String>>> headers() {
        return headers;
    }

    /** Returns whether the span of this run's end has arrived. */
    public boolean hasEnded(RunId run) {
        return told("workflow.run").stream().anyMatch(span -> span.isOf(run));
    }

    /** All spans of this name that have come so far. */
    List<Told> told(String name) {
        return spans.stream()
                .filter(span -> span.getName().equals(name))
                .map(Told::new)
                .toList();
    }

    /** Waits until there are so many spans of this name that hold. */
    List<Told> await(String name, int many, Predicate<Told> holds) throws InterruptedException {
        Waiting.until(() -> told(name).stream().filter(holds).count() >= many);
        return told(name).stream().filter(holds).toList();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
