package io.perdure.core.store.rows;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants as whole microseconds since 1970, which is what all stores keep. */
public final class Times {
    private static final long MICROS_PER_SECOND = 1_000_000;

    private Times() {}

    public static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    public static Instant instant(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, MICROS_PER_SECOND), Math.floorMod(micros, MICROS_PER_SECOND) * 1_000);
    }
}
