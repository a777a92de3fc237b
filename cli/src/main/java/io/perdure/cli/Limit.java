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
 */
record Limit(String name, Number value, String unit, String text) {
    /** Every component of the record and of the records in it, in the order of their declaration. */
    static List<Limit> allOf(Record limits) {
        List<Limit> found = new ArrayList<>();
        collect("", limits, found);
        return found;
    }

    private static void collect(String prefix, Record limits, List<Limit> found) {
        for (RecordComponent component : limits.getClass().getRecordComponents()) {
            String name = prefix + component.getName();
            Object value = valueOf(limits, component);
            if (value instanceof Record nested) {
                collect(name + ".", nested, found);
            } else {
                found.add(of(name, value));
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

    private static Limit of(String name, Object value) {
        String lower = name.toLowerCase(Locale.ROOT);
        return switch (value) {
            case Duration duration -> new Limit(name, duration.toMillis(), "milliseconds", Units.duration(duration));
            case Double ratio -> new Limit(name, ratio, "ratio", Units.percent(ratio));
            case Number number
            when lower.endsWith("bytes") -> new Limit(name, number, "bytes", Units.bytes(number.longValue()));
            case Number number when lower.endsWith("characters") -> counted(name, number, "characters");
            case Number number when lower.contains("days") -> counted(name, number, "days");
            case Number number -> new Limit(name, number, "count", Units.count(number.longValue()));
            default -> throw new IllegalStateException("limit " + name + " has no unit for " + value);
        };
    }

    private static Limit counted(String name, Number number, String unit) {
        return new Limit(name, number, unit, Units.count(number.longValue()) + " " + unit);
    }
}
