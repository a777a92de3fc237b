package io.perdure.sdk.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing tells the two ways of writing and reading a time apart. */
class TimeTextTest {
    private static final List<Integer> UNITS = List.of(1, 10, 1_000, 100_000, 1_000_000, 100_000_000, 1_000_000_000);

    private static void same(Instant time) {
        String text = TimeText.write(time, new StringBuilder()).toString();
        assertThat(text).isEqualTo(time.toString());
        assertThat(TimeText.read(text)).isEqualTo(time);
    }

    @Test
    void timesOfAllYearsAndFractionsAreWrittenAsEver() {
        SplittableRandom random = new SplittableRandom(20_261_116);
        long first = Instant.parse("-0001-01-01T00:00:00Z").getEpochSecond();
        long last = Instant.parse("+10001-01-01T00:00:00Z").getEpochSecond();
        for (int i = 0; i < 20_000; i++) {
            int unit = UNITS.get(random.nextInt(UNITS.size()));
            int nanos = random.nextInt(1_000_000_000) / unit * unit;
            same(Instant.ofEpochSecond(random.nextLong(first, last), nanos % 1_000_000_000));
        }
        List.of(Instant.EPOCH, Instant.MIN, Instant.MAX, Instant.parse("9999-12-31T23:59:59.999999999Z"))
                .forEach(TimeTextTest::same);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-31T12:00:00.1Z",
                "2026-01-31T12:00:00.12345Z",
                "2026-01-31T12:00:00.000000001Z",
                "2026-01-31T24:00:00Z",
                "2026-01-31T12:00:00.Z",
                "2026-06-30T23:59:60Z",
                "2026-01-31T12:00:00+01:00",
                "2026-01-31t12:00:00z",
                "-0044-03-15T12:00:00Z"
            })
    void otherFormsAreReadAsEver(String text) {
        assertThat(TimeText.read(text)).isEqualTo(Instant.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Z",
                "2026-02-30T12:00:00Z",
                "2026-13-01T12:00:00Z",
                "2026-01-01T25:00:00Z",
                "2026-01-01T12:60:00Z",
                "2026-01-01T12:00:61Z",
                "2026-01-01 12:00:00Z",
                "2026-01-01T12:00:00",
                "2026-01-01T12:00Z",
                "2026-01-01T12:00:00.1234567890Z",
                "2026-01-01T12:00:0aZ",
                "٢٠٢٦-01-01T12:00:00Z"
            })
    void whatIsNoTimeIsNone(String text) {
        assertThatThrownBy(() -> Instant.parse(text)).isInstanceOf(DateTimeException.class);
        assertThatThrownBy(() -> TimeText.read(text)).isInstanceOf(DateTimeException.class);
    }
}
