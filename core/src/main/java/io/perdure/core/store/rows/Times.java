package io.perdure.core.store.rows;

import java.time.Instant;

/** Instants as whole microseconds since 1970, which is what all stores keep. */
public final class Times {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;

    private Times() {}

    public static long micros(Instant time) {
        return Math.addExact(
                Math.multiplyExact(time.getEpochSecond(), MICROS_PER_SECOND), time.getNano() / NANOS_PER_MICRO);
    }

    public static Instant instant(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, MICROS_PER_SECOND), Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO);
    }
}
