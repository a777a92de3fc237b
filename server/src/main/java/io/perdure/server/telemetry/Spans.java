package io.perdure.server.telemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Sends spans to a collector over OTLP, in batches, in the background, and within about 50 ms of their end; what does not get through in time is dropped. */
public final class Spans implements OpenTelemetry, AutoCloseable {
    private static final String PATH = "/v1/traces";
    private static final int KEPT = 20_000;
    private static final Duration AT_MOST = Duration.ofSeconds(10);

    /** How often spans are sent at least, should a flush fail. */
    static final Duration EVERY = Duration.ofSeconds(1);

    private final Environment environment = new SystemEnvironment();
    private final CountedSpans processor;
    private final SdkTracerProvider provider;

    /**
     * Sends them there.
     *
     * @param endpoint the collector; where it names no path, that of traces
     * @param headers what it is sent with every request; secrets
     * @param origin where they come from
     * @param missed is told how many spans did not get there
     */
    Spans(URI endpoint, Map<String, String> headers, Resource origin, IntConsumer missed) {
        this(exporter(endpoint, headers), EVERY, origin, missed);
    }

    /**
     * Sends spans with an exporter.
     *
     * @param exporter sends a batch
     * @param every how often spans are sent at least, should a flush fail
     * @param origin where they come from
     * @param missed is told how many spans did not get there
     */
    Spans(SpanExporter exporter, Duration every, Resource origin, IntConsumer missed) {
        processor = new CountedSpans(exporter, KEPT, every, missed);
        provider = SdkTracerProvider.builder()
                .setIdGenerator(new AskedIds())
                .setResource(origin)
                .addSpanProcessor(processor)
                .build();
    }

    /** Returns an exporter that sends to a collector over OTLP/HTTP, with these headers in every request. */
    static SpanExporter exporter(URI endpoint, Map<String, String> headers) {
        return OtlpHttpSpanExporter.builder()
                .setEndpoint(path(endpoint))
                .setHeaders(() -> headers)
                .setTimeout(AT_MOST)
                .build();
    }

    private static String path(URI endpoint) {
        String path = endpoint.getPath();
        return path == null || path.isEmpty() || path.equals("/")
                ? endpoint.resolve(PATH).toString()
                : endpoint.toString();
    }

    @Override
    public TracerProvider getTracerProvider() {
        return provider;
    }

    @Override
    public ContextPropagators getPropagators() {
        return ContextPropagators.create(W3CTraceContextPropagator.getInstance());
    }

    /** Sends the spans that are left, for up to 10 seconds. What is left then is counted as missed. */
    @Override
    public void close() {
        long deadline = environment.nanoTime() + AT_MOST.toNanos();
        processor.drain(AT_MOST);
        provider.shutdown().join(Math.max(0, deadline - environment.nanoTime()), TimeUnit.NANOSECONDS);
        processor.giveUp();
    }
}
