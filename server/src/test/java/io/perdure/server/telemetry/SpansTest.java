package io.perdure.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.perdure.server.worker.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spans that a collector does not take are counted: an operator is to know that traces lack some. */
class SpansTest {
    private static final Duration AN_HOUR = Duration.ofHours(1);

    @ParameterizedTest
    @CsvSource({"400, 2", "401, 2", "200, 0"})
    void whatIsNotTakenIsCounted(int answer, int missed) throws IOException {
        AtomicInteger counted = new AtomicInteger();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(answer, -1);
            exchange.close();
        });
        collector.start();
        try {
            URI url = URI.create("http://127.0.0.1:" + collector.getAddress().getPort());
            try (Spans spans = new Spans(url, Map.of(), Resource.getDefault(), counted::addAndGet)) {
                spans.getTracer("test").spanBuilder("one").startSpan().end();
                spans.getTracer("test").spanBuilder("other").startSpan().end();
            }
        } finally {
            collector.stop(0);
        }

        assertThat(counted).hasValue(missed);
    }

    /** The first is under way and never answered; of the others, as many as there is room for wait. */
    @Test
    void whatThereIsNoRoomForIsCounted() {
        AtomicInteger counted = new AtomicInteger();
        CompletableResultCode answer = new CompletableResultCode();
        CountedSpans spans = new CountedSpans(new Slow(answer), 3, AN_HOUR, counted::addAndGet);
        try (SdkTracerProvider provider =
                SdkTracerProvider.builder().addSpanProcessor(spans).build()) {
            for (int number = 0; number < 10; number++) {
                provider.get("test").spanBuilder("span").startSpan().end();
            }
            // Nobody has taken any yet, or the batch that is under way has taken what there was.
            assertThat(counted.get()).isBetween(4, 7);
            answer.succeed();
        }
        assertThat(counted.get()).isBetween(4, 7);
    }

    @Test
    void onEnd_withoutAFullBatch_sendsTheSpanLongBeforeTheNextBatchIsDue() throws InterruptedException {
        Sink sink = new Sink(CompletableResultCode.ofSuccess());
        CountedSpans spans = new CountedSpans(sink, 100, AN_HOUR, _ -> {});
        try (SdkTracerProvider provider =
                SdkTracerProvider.builder().addSpanProcessor(spans).build()) {
            provider.get("test").spanBuilder("first").startSpan().end();
            Waiting.until(() -> sink.names().contains("first"));
            provider.get("test").spanBuilder("second").startSpan().end();
            Waiting.until(() -> sink.names().contains("second"));
        }
    }

    @Test
    void onEnd_whileTheCollectorDoesNotAnswer_gathersSpansForOneFlush() throws InterruptedException {
        CompletableResultCode answer = new CompletableResultCode();
        Sink sink = new Sink(answer);
        CountedSpans spans = new CountedSpans(sink, 1_000, AN_HOUR, _ -> {});
        try (SdkTracerProvider provider =
                SdkTracerProvider.builder().addSpanProcessor(spans).build()) {
            provider.get("test").spanBuilder("first").startSpan().end();
            Waiting.until(() -> sink.exports.get() == 1);
            for (int number = 0; number < 400; number++) {
                provider.get("test").spanBuilder("span").startSpan().end();
            }
            answer.succeed();
            Waiting.until(() -> sink.names().size() == 401);

            assertThat(sink.exports).hasValue(2);
        }
    }

    @Test
    void close_whileAFlushIsInProgress_sendsTheSpansThatEndedDuringIt() throws InterruptedException {
        CompletableResultCode answer = new CompletableResultCode();
        Sink sink = new Sink(answer);
        AtomicInteger missed = new AtomicInteger();
        Spans spans = new Spans(sink, AN_HOUR, Resource.getDefault(), missed::addAndGet);
        spans.getTracer("test").spanBuilder("first").startSpan().end();
        Waiting.until(() -> sink.exports.get() == 1);
        spans.getTracer("test").spanBuilder("second").startSpan().end();
        Thread closing = Thread.ofPlatform().start(spans::close);
        Waiting.until(() -> closing.getState() == Thread.State.TIMED_WAITING);

        answer.succeed();
        closing.join();

        assertThat(sink.names()).containsExactly("first", "second");
        assertThat(missed).hasValue(0);
    }

    @Test
    void giveUp_whileAnExportIsNotAnswered_countsItsSpansAndThoseThatWait() throws InterruptedException {
        CompletableResultCode answer = new CompletableResultCode();
        Sink sink = new Sink(answer);
        AtomicInteger missed = new AtomicInteger();
        CountedSpans spans = new CountedSpans(sink, 100, AN_HOUR, missed::addAndGet);
        try (SdkTracerProvider provider =
                SdkTracerProvider.builder().addSpanProcessor(spans).build()) {
            provider.get("test").spanBuilder("first").startSpan().end();
            Waiting.until(() -> sink.exports.get() == 1);
            provider.get("test").spanBuilder("second").startSpan().end();
            spans.drain(Duration.ZERO);
            spans.giveUp();

            assertThat(missed).hasValue(2);
            // Not counted a second time.
            answer.fail();
            assertThat(missed).hasValue(2);
        }
    }

    /** Keeps the names of the spans, and gives the same answer to each export. */
    private static final class Sink implements SpanExporter {
        private final CompletableResultCode answer;
        private final Queue<String> names = new ConcurrentLinkedQueue<>();
        private final AtomicInteger exports = new AtomicInteger();

        Sink(CompletableResultCode answer) {
            this.answer = answer;
        }

        List<String> names() {
            return List.copyOf(names);
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            spans.forEach(span -> names.add(span.getName()));
            exports.incrementAndGet();
            return answer;
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

    /** Answers when it is told to. */
    private record Slow(CompletableResultCode answer) implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            return answer;
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
}
