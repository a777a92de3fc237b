package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationTextTest {
    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "30s, PT30S", "5m, PT5M", "12h, PT12H", "4d, PT96H", "0s, PT0S", "pt1m30s, PT1M30S"})
    void lengthsOfTimeAreReadAsPeopleTypeThem(String typed, Duration meant) {
        assertThat(DurationText.parse(typed)).isEqualTo(meant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "s", "30 s", "30sec", "1.5h", "-5s", "9999999999s", "4w", "P1Y"})
    void anythingElseIsRefusedWithGoodExamples(String typed) {
        assertThatExceptionOfType(TypeConversionException.class)
                .isThrownBy(() -> DurationText.parse(typed))
                .withMessage("expected a length of time such as 500ms, 30s, 5m, 12h, 4d or PT1M30S but was \"" + typed
                        + "\"");
    }
}
