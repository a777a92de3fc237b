package io.perdure.cli;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One limit as it is shown.
 *
 * @param name its path in the record of limits, such as {@code runs.lease}
 * @param value its number, in the unit
 * @param unit bytes, characters, days, milliseconds, ratio or count
 * @param text number and unit for people
 * @param description what it bounds
 */
record Limit(String name, Number value, String unit, String text, String description) {
    /** Every component of the record and of the records in it, in the order of their declaration. */
    static List<Limit> allOf(Record limits, LimitsPage page) {
        List<Limit> found = new ArrayList<>();
        collect("", limits, page, found);
        return found;
    }

    private static void collect(String prefix, Record limits, LimitsPage page, List<Limit> found) {
        for (RecordComponent component : limits.getClass().getRecordComponents()) {
            String name = prefix + component.getName();
            Object value = valueOf(limits, component);
            if (value instanceof Record nested) {
                collect(name + ".", nested, page, found);
            } else {
                found.add(of(name, value, page.descriptionOf(name)));
            }
        }
    }

    private static Object valueOf(Record limits, RecordComponent component) {
        try {
            return component.getAccessor().invoke(limits);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read limit " + component.getName(), e);
        }
    }

    private static Limit of(String name, Object value, String description) {
        Amount amount = Amount.of(name, value);
        return new Limit(name, amount.value(), amount.unit(), amount.text(), description);
    }

    private record Amount(Number value, String unit, String text) {
        static Amount of(String name, Object value) {
            String lower = name.toLowerCase(Locale.ROOT);
            return switch (value) {
                case Duration duration -> new Amount(duration.toMillis(), "milliseconds", Units.duration(duration));
                case Double ratio -> new Amount(ratio, "ratio", Units.percent(ratio));
                case Number number
                when lower.endsWith("bytes") -> new Amount(number, "bytes", Units.bytes(number.longValue()));
                case Number number when lower.endsWith("characters") -> counted(number, "characters");
                case Number number when lower.contains("days") -> counted(number, "days");
                case Number number -> new Amount(number, "count", Units.count(number.longValue()));
                default -> throw new IllegalStateException("limit " + name + " has no unit for " + value);
            };
        }

        private static Amount counted(Number number, String unit) {
            return new Amount(number, unit, Units.count(number.longValue()) + " " + unit);
        }
    }
}
