package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LimitsCommandTest {
    record Inner(int messageBytes, Duration lease, double jitter) {}

    record Outer(int keepDays, Inner inner, int nameCharacters, int events) {}

    @Test
    void everyComponentIsShownWithItsUnit() {
        Outer outer = new Outer(30, new Inner(2048, Duration.ofSeconds(90), 0.2), 48, 100_000);
        List<Limit> limits = Limit.allOf(outer, new LimitsPage(Map.of("inner.lease", "How long")));

        assertThat(limits)
                .containsExactly(
                        new Limit("keepDays", 30, "days", "30 days", ""),
                        new Limit("inner.messageBytes", 2048, "bytes", "2 KiB", ""),
                        new Limit("inner.lease", 90_000L, "milliseconds", "1 min 30 s", "How long"),
                        new Limit("inner.jitter", 0.2, "ratio", "20 %", ""),
                        new Limit("nameCharacters", 48, "characters", "48 characters", ""),
                        new Limit("events", 100_000, "count", "100,000", ""));
    }

    @Test
    void textAndJsonShowTheSameLimits() {
        String text = Invocation.of("limits").out();
        JsonNode json = JsonMapper.shared()
                .readTree(Invocation.of("limits", "--format", "json").out());

        assertThat(json.size()).isEqualTo((int) text.lines().count() - 1).isPositive();
        for (JsonNode limit : json) {
            assertThat(text.lines())
                    .anyMatch(line -> line.startsWith(limit.get("name").asString() + " ")
                            && line.endsWith("  " + limit.get("description").asString())
                            && line.contains("  " + limit.get("text").asString() + " "));
        }
    }

    @Test
    void aLimitSaysWhatItBounds() {
        assertThat(Invocation.of("limits").out().lines()).first().asString().matches("LIMIT +DEFAULT +WHAT IT BOUNDS");
        assertThat(Invocation.of("limits").out())
                .containsPattern("runs\\.lease +10 s +How long a claimed run stays with its worker");
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 60, 80, 120})
    void theTableFitsTheTerminal(int columns) {
        String text = Invocation.in(Map.of("COLUMNS", Integer.toString(columns)), "limits")
                .out();

        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
        assertThat(text.replaceAll("\\s+", " "))
                .contains("How long a claimed run stays with its worker without an extension");
    }
}
