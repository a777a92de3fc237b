package io.perdure.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.worker.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine in a program that brings its own tracer, which may be slow or broken. */
class TracersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    /** With a tracer that hands each span to this, on the thread that ends it. */
    private static OpenOptions traced(Consumer<Collection<SpanData>> exported) {
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(new SpanExporter() {
                    @Override
                    public CompletableResultCode export(Collection<SpanData> spans) {
                        exported.accept(spans);
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
                }))
                .build();
        return OpenOptions.defaults().openTelemetry(new OpenTelemetry() {
            @Override
            public TracerProvider getTracerProvider() {
                return provider;
            }

            @Override
            public ContextPropagators getPropagators() {
                return ContextPropagators.noop();
            }
        });
    }

    /** Whoever signals waits for a commit that others share: none of them is to wait for a collector. */
    @Test
    void aTracerThatIsSlowHoldsUpNobodyAndHasAllSpansInTheEnd() throws InterruptedException {
        CountDownLatch goOn = new CountDownLatch(1);
        List<String> written = new CopyOnWriteArrayList<>();
        OpenOptions traced = traced(spans -> {
            try {
                assertThat(goOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            spans.forEach(span -> written.add(span.getName()));
        });
        try (Perdure perdure = Perdure.open("jdbc:sqlite:" + folder.resolve("slow.db"), traced)) {
            RunId run = perdure.start("unserved", Json.of("1"), StartOptions.defaults())
                    .id();
            perdure.signal(run, "courier", "ann");
            perdure.signal(run, "courier", "bob");
            perdure.cancel(run, "not wanted");

            assertThat(written).isEmpty();
            goOn.countDown();
            Waiting.until(() -> written.size() == 3);
        }
        assertThat(written).containsExactlyInAnyOrder("workflow.signal", "workflow.signal", "workflow.run");
    }

    @Test
    void aTracerThatFailsTakesNothingFromTheWork() {
        Workflow<String, String> sample = Workflow.named("sample").run(String.class, String.class, (ctx, name) -> {
            ctx.step("one", () -> {}, Retry.never());
            return name;
        });
        OpenOptions traced = traced(_ -> {
            throw new NoSuchMethodError("as it should");
        });
        try (Perdure perdure = Perdure.open("jdbc:sqlite:" + folder.resolve("failing.db"), traced)
                .register(sample)
                .start()) {
            assertThat(perdure.start(sample, "ann").result(PATIENCE)).isEqualTo("ann");
        }
    }
}
