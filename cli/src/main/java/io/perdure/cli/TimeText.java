package io.perdure.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import picocli.CommandLine.TypeConversionException;

/** Times as people type them: a date, which is its first moment in UTC, or a time with its offset, in ISO 8601. */
final class TimeText {
    private static final int LETTERS_OF_A_DATE = "2026-05-01".length();

    private TimeText() {}

    static Instant parse(String text) {
        try {
            return text.length() == LETTERS_OF_A_DATE
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new TypeConversionException(
                    "expected a date such as 2026-05-01 or a time such as 2026-05-01T12:30:00Z but was \"" + text
                            + "\"");
        }
    }
}
