package io.perdure.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
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
            try (Spans spans = new Spans(url, Map.of(), counted::addAndGet)) {
                spans.getTracer("test").spanBuilder("one").startSpan().end();
                spans.getTracer("test").spanBuilder("other").startSpan().end();
            }
        } finally {
            collector.stop(0);
        }

        assertThat(counted).hasValue(missed);
    }
}
