package io.perdure.sdk.run;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.RunId;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * Where a list of runs goes on: after a run, by when it started or ended. As text it is what {@link RunList#next} says.
 *
 * @param byEnd whether the list is by when runs ended; a list by another time has other places
 */
public record RunPlace(boolean byEnd, Instant at, RunId run) {
    /** Reads what {@link #toString} wrote; {@code PD-006} for anything else, and for a place in the other kind of list. */
    public static RunPlace parse(boolean byEnd, String text) {
        String[] parts = text.split("_", -1);
        try {
            if (parts.length == 3 && parts[0].equals(word(byEnd))) {
                return new RunPlace(byEnd, Instant.parse(parts[1]), RunId.parse(parts[2]));
            }
        } catch (DateTimeException | InvalidValueException e) {
            throw new InvalidValueException(ErrorCode.INVALID_ID, notAPlace(byEnd, text), e);
        }
        throw new InvalidValueException(ErrorCode.INVALID_ID, notAPlace(byEnd, text));
    }

    private static String word(boolean byEnd) {
        return byEnd ? "ended" : "started";
    }

    private static String notAPlace(boolean byEnd, String text) {
        return "\"%s\" is no place in a list of runs by when they %s.".formatted(text, word(byEnd));
    }

    @Override
    public String toString() {
        return word(byEnd) + "_" + at + "_" + run;
    }
}
