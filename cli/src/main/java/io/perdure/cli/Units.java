package io.perdure.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.StringJoiner;

/** Numbers as people read them. Nothing is rounded: what has no short form is printed in full. */
final class Units {
    private static final long KIB = 1024;
    private static final long MIB = KIB * KIB;

    private Units() {}

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String bytes(long bytes) {
        if (bytes >= MIB && bytes % MIB == 0) {
            return count(bytes / MIB) + " MiB";
        }
        if (bytes >= KIB && bytes % KIB == 0) {
            return count(bytes / KIB) + " KiB";
        }
        return count(bytes) + " bytes";
    }

    static String percent(double ratio) {
        double percent = ratio * 100;
        return percent == Math.rint(percent)
                ? String.format(Locale.ROOT, "%.0f %%", percent)
                : String.format(Locale.ROOT, "%s %%", percent);
    }

    static String duration(Duration duration) {
        if (duration.isNegative()) {
            return "-" + duration(duration.negated());
        }
        StringJoiner parts = new StringJoiner(" ");
        add(parts, duration.toDaysPart(), "d");
        add(parts, duration.toHoursPart(), "h");
        add(parts, duration.toMinutesPart(), "min");
        add(parts, duration.toSecondsPart(), "s");
        add(parts, duration.toMillisPart(), "ms");
        add(parts, duration.toNanosPart() % 1_000_000, "ns");
        return parts.length() == 0 ? "0 s" : parts.toString();
    }

    private static void add(StringJoiner parts, long number, String unit) {
        if (number != 0) {
            parts.add(count(number) + " " + unit);
        }
    }
}
