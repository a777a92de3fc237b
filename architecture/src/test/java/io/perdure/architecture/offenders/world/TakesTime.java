package io.perdure.architecture.offenders.world;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.function.Supplier;

/** Every method takes the time from the system. */
public final class TakesTime {
    Instant instantNow() {
        return Instant.now();
    }

    Supplier<Instant> instantNowByReference() {
        return Instant::now;
    }

    Supplier<Instant> instantNowInLambda() {
        return () -> Instant.now();
    }

    LocalDate localDateNow(ZoneId zone) {
        return LocalDate.now(zone);
    }

    LocalDateTime localDateTimeNow(ZoneId zone) {
        return LocalDateTime.now(zone);
    }

    ZonedDateTime zonedDateTimeNow(ZoneId zone) {
        return ZonedDateTime.now(zone);
    }

    Clock systemClock() {
        return Clock.systemUTC();
    }

    Clock tickingClock(ZoneId zone) {
        return Clock.tickSeconds(zone);
    }

    InstantSource systemInstantSource() {
        return InstantSource.system();
    }

    long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    long nanoTime() {
        return System.nanoTime();
    }
}
