package io.perdure.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.perdure.client.PerdureClient;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.OtlpHeaders;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a collector is told of runs, by servers that work on them themselves and for workers elsewhere. */
class TracesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String STATE = "acme=a:1,zeta@old=2";

    @TempDir
    private Path folder;

    private final Collector collector = new Collector();
    private final List<String> handed = new CopyOnWriteArrayList<>();
    private final Set<String> states = ConcurrentHashMap.newKeySet();
    private final AtomicInteger tries = new AtomicInteger();

    private final Workflow<String, String> order = Workflow.named("order")
            .version(2)
            .run(String.class, String.class, (ctx, _) -> {
                ctx.step(
                        "charge",
                        () -> {
                            handed.add(ctx.attempt().traceparent());
                            states.add(ctx.attempt().tracestate());
                            if (tries.incrementAndGet() == 1) {
                                throw new IllegalStateException("the card's number is in here");
                            }
                        },
                        Retry.fixed(2, Duration.ofMillis(1)));
                ctx.sleep("settle", Duration.ofMillis(300));
                String by = ctx.waitForEvent("courier", String.class);
                ctx.step("ship", () -> {});
                return by;
            });

    @AfterEach
    void close() {
        collector.close();
    }

    private PerdureServer server() {
        return PerdureServer.start(ServerOptions.of("jdbc:sqlite:" + folder.resolve("store.db"))
                .port(0)
                .otlpEndpoint(collector.url()));
    }

    private Told endOf(RunId run) throws InterruptedException {
        return collector.await("workflow.run", 1, span -> span.isOf(run)).getFirst();
    }

    private List<Told> stepsOf(RunId run, int many) throws InterruptedException {
        return collector.await("workflow.step", many, span -> span.isOf(run));
    }

    private static Told step(List<Told> steps, String name, int attempt) {
        return steps.stream()
                .filter(span -> name.equals(span.attributes().get("step.name")))
                .filter(span ->
                        Integer.toString(attempt).equals(span.attributes().get("step.attempt")))
                .findFirst()
                .orElseThrow();
    }

    /** All that the order does, as one trace. */
    private void assertTrace(RunId run, String traceId, String parentId) throws InterruptedException {
        Told end = endOf(run);
        List<Told> steps = stepsOf(run, 5);
        Told signal =
                collector.await("workflow.signal", 1, span -> span.isOf(run)).getFirst();
        assertThat(end.traceId()).isEqualTo(traceId);
        assertThat(end.parentId()).isEqualTo(parentId);
        assertThat(end.attributes())
                .isEqualTo(Map.of(
                        "run_id",
                        run.toString(),
                        "status",
                        "completed",
                        "workflow.name",
                        "order",
                        "workflow.version",
                        "2"));
        assertThat(steps).hasSize(5).allSatisfy(span -> {
            assertThat(span.traceId()).isEqualTo(traceId);
            assertThat(span.parentId()).isEqualTo(end.spanId());
            assertThat(end.isOver(span)).isTrue();
        });
        assertThat(steps.stream().map(span -> span.attributes().get("step.kind")))
                .containsExactlyInAnyOrder("run", "run", "run", "sleep", "wait");
        assertThat(step(steps, "charge", 2).attributes())
                .isEqualTo(Map.of(
                        "run_id", run.toString(),
                        "step.attempt", "2",
                        "step.kind", "run",
                        "step.name", "charge",
                        "workflow.name", "order"));
        assertThat(step(steps, "charge", 1).isError()).isTrue();
        assertThat(step(steps, "charge", 1).span().getStatus().getMessage())
                .isEqualTo("java.lang.IllegalStateException");
        assertThat(step(steps, "charge", 2).isError()).isFalse();
        // The wait is the gap between where it began and what came after it.
        assertThat(step(steps, "courier", 1).isBefore(step(steps, "ship", 1))).isTrue();
        assertThat(signal.traceId()).isEqualTo(traceId);
        assertThat(signal.parentId()).isEqualTo(end.spanId());
        assertThat(signal.attributes())
                .isEqualTo(Map.of("event", "courier", "run_id", run.toString(), "workflow.name", "order"));
        // What the step was handed is what its span is.
        assertThat(handed)
                .containsExactly(
                        "00-" + traceId + "-" + step(steps, "charge", 1).spanId() + "-01",
                        "00-" + traceId + "-" + step(steps, "charge", 2).spanId() + "-01");
        assertThat(collector.origins())
                .isNotEmpty()
                .allSatisfy(origin -> assertThat(origin)
                        .containsEntry("service.name", "perdure")
                        .containsKeys("service.version", "service.instance.id"));
    }

    /** All spans of a run say what its caller brought. */
    private void assertState(RunId run, int spans, String state) {
        assertThat(Stream.of("workflow.run", "workflow.step", "workflow.signal")
                        .flatMap(name -> collector.told(name).stream())
                        .filter(span -> span.isOf(run))
                        .map(span -> span.span().getTraceState()))
                .hasSize(spans)
                .containsOnly(state);
    }

    @Test
    void aRunThatGoesOnInASecondProcessIsOneTrace() throws InterruptedException {
        RunId run;
        try (PerdureServer first = server()) {
            first.engine().register(order).start();
            run = first.engine().start(order, "lamp").id();
            stepsOf(run, 4);
        }
        assertThat(collector.told("workflow.run")).isEmpty();
        try (PerdureServer second = server()) {
            second.engine().register(order).start();
            second.engine().signal(run, "courier", "ann");
            assertThat(second.engine().run(order, run).result(PATIENCE)).isEqualTo("ann");
            assertTrace(run, TraceContext.ofRun(run, Map.of()).traceId(), "");
        }
    }

    @Test
    void aWorkerElsewhereNeedsNoTracerOfItsOwn() throws Exception {
        try (PerdureServer server = server();
                Engine worker = PerdureClient.connect(server.url().toString())
                        .register(order)
                        .start();
                HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> started = http.send(
                    HttpRequest.newBuilder(URI.create(server.url() + "/v1/workflows/order/runs"))
                            .header("Content-Type", "application/json")
                            .header("traceparent", CALLER)
                            .header("tracestate", "acme=a:1 ,")
                            .header("tracestate", "zeta@old=2")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"input\": \"lamp\"}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(started.statusCode()).isEqualTo(201);
            RunId run = worker.runs(RunFilter.all(), 1).runs().getFirst().id();
            stepsOf(run, 4);
            worker.signal(run, "courier", "ann");
            worker.run(order, run).result(PATIENCE);

            assertTrace(run, "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
            assertState(run, 7, STATE);
            assertThat(states).containsExactly(STATE);
        }
    }

    /** A trace that cannot be read is no reason to refuse work. */
    @ParameterizedTest
    @CsvSource({
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, not a state",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, 'a=1,a=2'",
        "no traceparent, acme=1"
    })
    void aStateThatIsNoneIsDroppedAndTheRunBegins(String traceparent, String tracestate) throws Exception {
        try (PerdureServer server = server();
                HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> started = http.send(
                    HttpRequest.newBuilder(URI.create(server.url() + "/v1/workflows/idle/runs"))
                            .header("Content-Type", "application/json")
                            .header("traceparent", traceparent)
                            .header("tracestate", tracestate)
                            .POST(HttpRequest.BodyPublishers.ofString("{\"input\": 1}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(started.statusCode()).isEqualTo(201);
            assertThat(server.engine()
                            .runs(RunFilter.all(), 1)
                            .runs()
                            .getFirst()
                            .tags())
                    .doesNotContainKey(TraceContext.STATE_TAG);
        }
    }

    @Test
    void theSpanThatIsCurrentIsTheParentOfARunAndThatOfAStepOfWhatItCalls() throws InterruptedException {
        List<String> current = new CopyOnWriteArrayList<>();
        Workflow<String, String> calling = Workflow.named("calling").run(String.class, String.class, (ctx, _) -> {
            ctx.step("call", () -> {
                current.add(Span.current().getSpanContext().getSpanId());
                states.add(ctx.attempt().tracestate());
            });
            return "done";
        });
        try (PerdureServer server = server();
                Spans callers = new Spans(collector.url(), Map.of(), Origin.of(Map.of()), _ -> {})) {
            server.engine().register(calling).start();
            TraceState state = TraceState.builder().put("acme", "a:1").build();
            Span caller = callers.getTracer("test")
                    .spanBuilder("caller")
                    .setParent(Context.root()
                            .with(Span.wrap(SpanContext.createFromRemoteParent(
                                    "4bf92f3577b34da6a3ce929d0e0e4736",
                                    "00f067aa0ba902b7",
                                    TraceFlags.getSampled(),
                                    state))))
                    .startSpan();
            Run<String> run;
            try (Scope _ = caller.makeCurrent()) {
                run = server.engine().start(calling, "");
            }
            caller.end();
            run.result(PATIENCE);

            Told end = endOf(run.id());
            assertThat(end.traceId()).isEqualTo(caller.getSpanContext().getTraceId());
            assertThat(end.parentId()).isEqualTo(caller.getSpanContext().getSpanId());
            assertThat(current).containsExactly(stepsOf(run.id(), 1).getFirst().spanId());
            assertState(run.id(), 2, "acme=a:1");
            assertThat(states).containsExactly("acme=a:1");
        }
    }

    @Test
    void theCollectorIsSentTheHeadersThatItAsksForWithEveryRequest() throws InterruptedException {
        ServerOptions options = ServerOptions.of("jdbc:sqlite:" + folder.resolve("store.db"))
                .port(0)
                .otlpEndpoint(collector.url())
                .otlpHeaders(OtlpHeaders.parse("authorization=Bearer%20s3cret,x-scope=a%2Cb"));
        for (int i = 1; i <= 2; i++) {
            try (PerdureServer server = PerdureServer.start(options)) {
                RunId run = server.engine()
                        .start("idle", Json.of("1"), StartOptions.defaults())
                        .id();
                server.engine().cancel(run, "not wanted");
                endOf(run);
            }
        }
        assertThat(collector.headers())
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(sent -> assertThat(sent)
                        .containsEntry("Authorization", List.of("Bearer s3cret"))
                        .containsEntry("X-scope", List.of("a,b"))
                        .containsEntry("Content-type", List.of("application/x-protobuf")));
    }

    @Test
    void aRunThatFailsOrIsCancelledSaysSo() throws InterruptedException {
        Workflow<String, String> failing = Workflow.named("failing").run(String.class, String.class, (_, _) -> {
            throw new IllegalStateException("as it should");
        });
        try (PerdureServer server = server()) {
            server.engine().register(failing).start();
            RunId failed = server.engine().start(failing, "").id();
            RunId cancelled = server.engine()
                    .start("unserved", Json.of("1"), StartOptions.defaults().traceparent(CALLER.replace("-01", "-00")))
                    .id();
            RunId sampled = server.engine()
                    .start("unserved", Json.of("1"), StartOptions.defaults())
                    .id();
            server.engine().cancel(cancelled, "not wanted");
            server.engine().cancel(sampled, "not wanted");

            assertThat(endOf(failed).attributes()).containsEntry("status", "failed");
            assertThat(endOf(failed).isError()).isTrue();
            assertThat(endOf(sampled).attributes()).containsEntry("status", "cancelled");
            // Its caller does not want its trace to be recorded.
            assertThat(collector.told("workflow.run")).noneMatch(span -> span.isOf(cancelled));
        }
    }

    @Test
    void aRunThatIsCancelledAfterItWasRedrivenHasASecondSpanBelowItsFirst() throws InterruptedException {
        Workflow<String, String> failing = Workflow.named("failing").run(String.class, String.class, (_, _) -> {
            throw new IllegalStateException("as it should");
        });
        RunId run;
        try (PerdureServer server = server()) {
            server.engine().register(failing).start();
            run = server.engine().start(failing, "").id();
            endOf(run);
        }
        try (PerdureServer server = server()) {
            server.engine().redrive(run, "mended");
            server.engine().cancel(run, "not wanted");
            collector.await("workflow.run", 2, span -> span.isOf(run));
        }
        List<Told> ends = collector.await("workflow.run", 2, span -> span.isOf(run));
        Told first = ends.getFirst();
        Told second = ends.getLast();
        assertThat(ends).hasSize(2);
        assertThat(first.attributes()).containsEntry("status", "failed");
        assertThat(second.attributes()).containsEntry("status", "cancelled");
        assertThat(first.spanId()).isEqualTo(TraceContext.ofRun(run, Map.of()).spanId());
        assertThat(second.spanId()).isNotEqualTo(first.spanId());
        assertThat(second.parentId()).isEqualTo(first.spanId());
        assertThat(first.isBefore(second)).isTrue();
    }
}
