package io.perdure.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.logging.Level;
import java.util.stream.Collectors;

/**
 * How a server logs.
 *
 * @param stacks whether lines for people come with where an error was thrown; those for programs always do
 */
record LogOptions(Format format, Threshold threshold, boolean stacks) {
    static final LogOptions DEFAULTS = new LogOptions(Format.TEXT, Threshold.INFO, false);

    /** Who reads it. */
    enum Format {
        /** People. */
        TEXT,
        /** Programs: an object a line. */
        JSON;

        static Format parse(String text) {
            return chosen(values(), text);
        }
    }

    /** The least that is worth a line. */
    enum Threshold {
        ERROR,
        WARN,
        INFO,
        DEBUG;

        static Threshold parse(String text) {
            return chosen(values(), text);
        }

        /** What a line of this level is called. */
        static Threshold of(Level level) {
            return Arrays.stream(values())
                    .filter(one -> level.intValue() >= one.level().intValue())
                    .findFirst()
                    .orElse(DEBUG);
        }

        Level level() {
            return switch (this) {
                case ERROR -> Level.SEVERE;
                case WARN -> Level.WARNING;
                case INFO -> Level.INFO;
                case DEBUG -> Level.FINE;
            };
        }

        /** Of libraries that are not ours there are warnings at most: what they say else holds requests, keys and passwords. */
        Level ofOthers() {
            return this == ERROR ? Level.SEVERE : Level.WARNING;
        }
    }

    LogOptions format(Format other) {
        return new LogOptions(other, threshold, stacks);
    }

    LogOptions threshold(Threshold other) {
        return new LogOptions(format, other, stacks);
    }

    LogOptions stacks(boolean shown) {
        return new LogOptions(format, threshold, shown);
    }

    private static <E extends Enum<E>> E chosen(E[] choices, String text) {
        return Arrays.stream(choices)
                .filter(choice -> choice.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(Arrays.stream(choices)
                        .map(choice -> choice.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(", ", "It must be one of ", "."))));
    }
}
