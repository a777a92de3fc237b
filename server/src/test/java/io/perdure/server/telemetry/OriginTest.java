package io.perdure.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.server.http.Release;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A collector is told which server spans are from, of which release, and what its operator says of it. */
class OriginTest {
    private static Map<String, String> told(Map<String, String> variables) {
        try (Collector collector = new Collector()) {
            try (Spans spans = new Spans(collector.url(), Map.of(), Origin.of(variables), _ -> {})) {
                spans.getTracer("test").spanBuilder("one").startSpan().end();
            }
            assertThat(collector.origins()).hasSize(1);
            return collector.origins().getFirst();
        }
    }

    @Test
    void eachProcessSaysItsNameItsReleaseAndWhichOneItIs() {
        Map<String, String> one = told(Map.of());
        Map<String, String> other = told(Map.of());

        assertThat(one).containsEntry("service.name", "perdure").containsEntry("service.version", Release.running());
        assertThat(one.get("service.instance.id")).hasSize(36).isNotEqualTo(other.get("service.instance.id"));
    }

    @Test
    void whatTheVariablesOfTheStandardSayGoesBefore() {
        Map<String, String> told = told(Map.of(
                "OTEL_SERVICE_NAME",
                "orders",
                "OTEL_RESOURCE_ATTRIBUTES",
                "service.name=ignored, deployment.environment.name = prod%2Ceu ,service.instance.id=a+b=c"));

        assertThat(told)
                .containsEntry("service.name", "orders")
                .containsEntry("deployment.environment.name", "prod,eu")
                .containsEntry("service.instance.id", "a+b=c")
                .containsEntry("service.version", Release.running());
    }

    @Test
    void aNameAmongTheAttributesCountsWhereThereIsNoOther() {
        assertThat(told(Map.of("OTEL_SERVICE_NAME", " ", "OTEL_RESOURCE_ATTRIBUTES", "service.name=orders")))
                .containsEntry("service.name", "orders");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=b,nothing", "a=b,", "a=b,=c", "a=b,c=%2", "a=b,c=%ff"})
    void whatIsMalformedIsDroppedAsAWhole(String attributes) {
        assertThat(told(Map.of("OTEL_RESOURCE_ATTRIBUTES", attributes)))
                .containsEntry("service.name", "perdure")
                .doesNotContainKey("a");
    }
}
