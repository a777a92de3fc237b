package io.perdure.sdk.wire;

import io.perdure.sdk.json.Json;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Durations as they travel: numbers of seconds. */
public final class Seconds {
    private Seconds() {}

    /** {@code 30}, or {@code 0.25}. */
    public static Json of(Duration duration) {
        BigDecimal seconds = BigDecimal.valueOf(duration.toSeconds())
                .add(BigDecimal.valueOf(duration.toNanosPart(), 9))
                .stripTrailingZeros();
        return Json.ofStored(seconds.toPlainString());
    }

    static @Nullable Json ofNullable(@Nullable Duration duration) {
        return duration == null ? null : of(duration);
    }
}
