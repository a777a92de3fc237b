package io.perdure.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every operation is counted to the end, and one that has more to write is seen to write more. */
@Tag("exhaustive")
final class CostsBenchmarkTest {
    @Test
    void everyCostIsReported(@TempDir Path parent) throws Exception {
        Map<String, Object> json;
        boolean tellsBytes;
        try (Target target = SqliteTarget.in(parent)) {
            json = new CostsBenchmark(target, 200, _ -> {}).run().json();
            tellsBytes = target.bytesWritten().isPresent();
        }

        for (String what : List.of("send", "processed", "run", "step", "sleep", "signal")) {
            assertThat(json).containsKeys(what + "_rows", what + "_flushes");
            assertThat(json.containsKey(what + "_bytes")).as(what).isEqualTo(tellsBytes);
        }
        // A message is inserted; then it is leased and deleted besides.
        assertThat(number(json, "send_rows")).isGreaterThanOrEqualTo(1);
        assertThat(number(json, "processed_rows")).isGreaterThan(number(json, "send_rows"));
        assertThat(number(json, "run_rows")).isGreaterThan(3);
        try (Stream<Path> left = Files.list(parent)) {
            assertThat(left).isEmpty();
        }
    }

    private static double number(Map<String, Object> json, String key) {
        return ((Number) Objects.requireNonNull(json.get(key), key)).doubleValue();
    }
}
