package io.perdure.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both places are measured to the end, and every figure that is promised is reported; how large they are is not a test's business. */
@Tag("exhaustive")
final class HttpBenchmarkTest {
    private static final Pace SHORT = new Pace(1, Duration.ofMillis(100), Duration.ofMillis(200));

    @Test
    void everyFigureIsReported(@TempDir Path parent) throws Exception {
        Map<String, Object> json;
        try (Target target = SqliteTarget.in(parent)) {
            json = new HttpBenchmark(target, SHORT, 100, 3, _ -> {}).run().json();
        }

        assertThat(json).containsKeys("machine", "missed");
        for (String what : List.of("worked", "starts", "messages")) {
            assertThat(json).containsKeys(what + "_per_s", what + "_per_s_http", what + "_share");
        }
        // These are counted until all have ended; of the others a cold machine may do none in so short a time.
        assertThat(number(json, "worked_per_s")).isPositive();
        assertThat(number(json, "worked_per_s_http")).isPositive();
        try (Stream<Path> left = Files.list(parent)) {
            assertThat(left).isEmpty();
        }
    }

    private static double number(Map<String, Object> json, String key) {
        return ((Number) Objects.requireNonNull(json.get(key), key)).doubleValue();
    }
}
