package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The reference page and {@code perdure limits} tell the same. */
class LimitsPageTest {
    @Test
    void everyLimitHasItsRowWithItsDefault() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("../docs/reference/limits.md"));

        assertThat(Limit.allOf(Limits.defaults(), LimitsPage.packed()))
                .isNotEmpty()
                .allSatisfy(limit -> assertThat(rows)
                        .anyMatch(row -> row.startsWith("| `" + limit.name() + "` | " + limit.text() + " |")));
    }

    @Test
    void everyLimitSaysWhatItBounds() {
        assertThat(Limit.allOf(Limits.defaults(), LimitsPage.packed()))
                .isNotEmpty()
                .allSatisfy(limit ->
                        assertThat(limit.description()).as(limit.name()).isNotBlank());
    }

    @Test
    void whatALimitBoundsIsTheLastCellWithoutMarkup() {
        LimitsPage page = LimitsPage.parse("| limit | default | what |\n|---|---|---|\n| `a.b` | 1 s | Until `c` |\n");

        assertThat(page.descriptions()).isEqualTo(Map.of("a.b", "Until c"));
        assertThat(page.descriptionOf("a.c")).isEmpty();
    }

    @Test
    void noRowIsLeftWithoutItsLimit() throws IOException {
        List<String> names = Limit.allOf(Limits.defaults(), LimitsPage.packed()).stream()
                .map(Limit::name)
                .toList();

        assertThat(Files.readAllLines(Path.of("../docs/reference/limits.md")).stream()
                        .filter(row -> row.startsWith("| `"))
                        .map(row -> row.substring(3, row.indexOf('`', 3))))
                .containsExactlyInAnyOrderElementsOf(names);
    }
}
