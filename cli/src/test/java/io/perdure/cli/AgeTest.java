package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeTest {
    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT59.999S, 59s",
        "PT1M, 1m",
        "PT59M59S, 59m",
        "PT1H, 1h",
        "PT23H59M, 23h",
        "P1D, 1d",
        "P400D, 400d"
    })
    void anAgeIsInItsLargestUnitRoundedDown(Duration age, String text) {
        assertThat(Age.text(age)).isEqualTo(text);
    }

    @Test
    void whatIsYetToComeIsOfNoAge() {
        assertThat(Age.since(Instant.MAX.minusSeconds(1))).isEqualTo(Duration.ZERO);
    }
}
