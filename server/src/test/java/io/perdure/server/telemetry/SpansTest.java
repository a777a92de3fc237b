package io.perdure.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spans that a collector does not take are counted: an operator is to know that traces lack some. */
class SpansTest {
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
        CountedSpans spans = new CountedSpans(new Slow(answer), 3, counted::addAndGet);
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
