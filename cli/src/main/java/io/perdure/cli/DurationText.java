package io.perdure.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** Lengths of time as people type them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 12h}, {@code 4d}, or ISO 8601. */
final class DurationText {
    private static final Pattern SHORT = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

    private DurationText() {}

    static Duration parse(String text) {
        Matcher matcher = SHORT.matcher(text);
        if (matcher.matches()) {
            long amount = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "m" -> Duration.ofMinutes(amount);
                case "h" -> Duration.ofHours(amount);
                default -> Duration.ofDays(amount);
            };
        }
        try {
            return Duration.parse(text);
        } catch (DateTimeException e) {
            throw new TypeConversionException(
                    "expected a length of time such as 500ms, 30s, 5m, 12h, 4d or PT1M30S but was \"" + text + "\"");
        }
    }
}
