package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reference page and {@code perdure limits} tell the same. */
class LimitsPageTest {
    @Test
    void everyLimitHasItsRowWithItsDefault() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("../docs/reference/limits.md"));

        assertThat(Limit.allOf(Limits.defaults()))
                .isNotEmpty()
                .allSatisfy(limit -> assertThat(rows)
                        .anyMatch(row -> row.startsWith("| `" + limit.name() + "` | " + limit.text() + " |")));
    }

    @Test
    void noRowIsLeftWithoutItsLimit() throws IOException {
        List<String> names =
                Limit.allOf(Limits.defaults()).stream().map(Limit::name).toList();

        assertThat(Files.readAllLines(Path.of("../docs/reference/limits.md")).stream()
                        .filter(row -> row.startsWith("| `"))
                        .map(row -> row.substring(3, row.indexOf('`', 3))))
                .containsExactlyInAnyOrderElementsOf(names);
    }
}
