package io.perdure.examples;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.core.telemetry.SpanIds;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An engine in a program that counts and traces: its meters and spans are beside the program's own. */
final class WatchedExample {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<SpanData> spans = new CopyOnWriteArrayList<>();

    private WatchedExample() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tell("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Runs a workflow in the store of this URL; tells what a registry and a tracer were told. */
    static List<String> tell(String url) {
        return new WatchedExample().run(url);
    }

    private List<String> run(String url) {
        Workflow<String, String> greet = Workflow.named("greet").run(String.class, String.class, (ctx, name) -> {
            ctx.step("look-up-1", () -> {});
            ctx.step("look-up-2", () -> {});
            return "hello " + name;
        });
        MeterRegistry registry = new SimpleMeterRegistry();
        SdkTracerProvider provider = tracerProvider();
        OpenTelemetry openTelemetry = openTelemetry(provider);
        OpenOptions counted = counted(registry);
        try (provider;
                Perdure perdure = Perdure.open(url, traced(counted, openTelemetry))
                        .register(greet)
                        .start()) {
            Run<String> run = perdure.start(greet, "ann");
            run.result(PATIENCE);
        }
        List<String> told = new ArrayList<>();
        told.add("runs started: "
                + (long) registry.get("workflow.runs.started").counter().count());
        told.add("look-up-#: "
                + registry.get("workflow.step.duration")
                        .tag("step", "look-up-#")
                        .timer()
                        .count()
                + " times");
        spans.stream()
                .sorted(Comparator.comparing(SpanData::getName).thenComparingLong(SpanData::getStartEpochNanos))
                .map(this::line)
                .forEach(told::add);
        return told;
    }

    private static OpenOptions counted(MeterRegistry registry) {
        // region meters
        OpenOptions options = OpenOptions.defaults().meters(registry); // the one that your program has already
        // endregion
        return options;
    }

    private static OpenOptions traced(OpenOptions options, OpenTelemetry openTelemetry) {
        // region traces
        OpenOptions traced = options.openTelemetry(openTelemetry); // GlobalOpenTelemetry.get(), or your SDK's
        // endregion
        return traced;
    }

    // region ids
    private static final class AskedIds implements IdGenerator {
        private final IdGenerator others = IdGenerator.random();

        @Override
        public String generateSpanId() {
            return SpanIds.spanId().orElseGet(others::generateSpanId);
        }

        @Override
        public String generateTraceId() {
            return SpanIds.traceId().orElseGet(others::generateTraceId);
        }
    }
    // endregion

    private SdkTracerProvider tracerProvider() {
        return SdkTracerProvider.builder()
                .setIdGenerator(new AskedIds())
                .addSpanProcessor(SimpleSpanProcessor.create(new Kept()))
                .build();
    }

    private static OpenTelemetry openTelemetry(TracerProvider provider) {
        return new OpenTelemetry() {
            @Override
            public TracerProvider getTracerProvider() {
                return provider;
            }

            @Override
            public ContextPropagators getPropagators() {
                return ContextPropagators.noop();
            }
        };
    }

    /** Keeps spans instead of sending them. */
    private final class Kept implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> ended) {
            spans.addAll(ended);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    private String line(SpanData span) {
        String above = spans.stream()
                .filter(other -> other.getSpanId().equals(span.getParentSpanId()))
                .map(SpanData::getName)
                .findFirst()
                .orElse("nothing");
        return span.getName() + " under " + above;
    }
}
