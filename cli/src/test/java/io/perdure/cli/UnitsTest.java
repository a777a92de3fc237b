package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class UnitsTest {
    @Test
    void bytesAreShortenedOnlyWhereNothingIsLost() {
        assertThat(Units.bytes(256)).isEqualTo("256 bytes");
        assertThat(Units.bytes(1024)).isEqualTo("1 KiB");
        assertThat(Units.bytes(1025)).isEqualTo("1,025 bytes");
        assertThat(Units.bytes(1024 * 1024)).isEqualTo("1 MiB");
        assertThat(Units.bytes(3 * 1024 * 1024 + 1024)).isEqualTo("3,073 KiB");
    }

    @Test
    void durationsNameEveryPart() {
        assertThat(Units.duration(Duration.ZERO)).isEqualTo("0 s");
        assertThat(Units.duration(Duration.ofDays(14))).isEqualTo("14 d");
        assertThat(Units.duration(Duration.ofMillis(90_500))).isEqualTo("1 min 30 s 500 ms");
        assertThat(Units.duration(Duration.ofNanos(7))).isEqualTo("7 ns");
        assertThat(Units.duration(Duration.ofSeconds(-3))).isEqualTo("-3 s");
    }

    @Test
    void sharesArePercent() {
        assertThat(Units.percent(0.2)).isEqualTo("20 %");
        assertThat(Units.percent(0.125)).isEqualTo("12.5 %");
    }
}
