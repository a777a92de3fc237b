package io.perdure.sdk.history;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** When something becomes due. The store turns it into an instant by its own clock, once per commit. */
public sealed interface Due {
    /** Stands for no time at all where a time is stored: later than anything that happens. */
    Instant FAR_FUTURE = Instant.parse("9999-12-31T23:59:59.999999Z");

    /** Due so long after the commit. */
    record In(Duration delay) implements Due {
        public In {
            if (delay.isNegative()) {
                throw new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, "Delay %s is negative.".formatted(delay));
            }
        }
    }

    /** Due at a time of the calendar, or at one that the store fixed before. */
    record At(Instant time) implements Due {
        public At {
            if (time.isBefore(Instant.EPOCH)) {
                throw new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, "The time %s is before 1970.".formatted(time));
            }
        }
    }

    /** Not due by the passing of time. */
    record Never() implements Due {}

    static Due atOnce() {
        return new In(Duration.ZERO);
    }

    static Due in(Duration delay) {
        return new In(delay);
    }

    static Due at(Instant time) {
        return new At(time);
    }

    static Due never() {
        return new Never();
    }

    /** The instant this means for a commit that happens at {@code now}: whole microseconds, at most {@link #FAR_FUTURE}. */
    default Instant fixedAt(Instant now) {
        Instant time = switch (this) {
            case In(Duration delay) -> now.plus(min(delay, Duration.between(now, FAR_FUTURE)));
            case At(Instant at) -> at.isAfter(FAR_FUTURE) ? FAR_FUTURE : at;
            case Never() -> FAR_FUTURE;
        };
        // Rounds up: a timer never fires early.
        Instant micros = time.truncatedTo(ChronoUnit.MICROS);
        return micros.equals(time) ? time : micros.plus(1, ChronoUnit.MICROS);
    }

    private static Duration min(Duration left, Duration right) {
        return left.compareTo(right) <= 0 ? left : right;
    }
}
