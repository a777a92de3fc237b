package io.perdure.benchmarks;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One thing that was measured.
 *
 * @param key in JSON
 * @param what in a table
 * @param goal that was set for it on 2 cores, where there is one
 */
record Figure(
        String key,
        String what,
        Unit unit,
        double value,
        @Nullable Goal goal) {
    /** What it counts. */
    enum Unit {
        PER_SECOND("%,.0f/s", 1),
        MILLIS("%.2f ms", 10_000),
        NUMBER("%.3f", 10_000),
        COUNT("%,.0f", 1);

        private final String format;
        private final double parts;

        Unit(String format, double parts) {
            this.format = format;
            this.parts = parts;
        }

        private String text(double value) {
            return String.format(Locale.ROOT, format, value);
        }
    }

    /** What a figure should be. */
    record Goal(Direction direction, double bound) {
        enum Direction {
            AT_LEAST,
            AT_MOST
        }

        static Goal atLeast(double bound) {
            return new Goal(Direction.AT_LEAST, bound);
        }

        static Goal atMost(double bound) {
            return new Goal(Direction.AT_MOST, bound);
        }

        private boolean isMetBy(double value) {
            return switch (direction) {
                case AT_LEAST -> value >= bound;
                case AT_MOST -> value <= bound;
            };
        }
    }

    /** One without a goal. */
    static Figure of(String key, String what, Unit unit, double value) {
        return new Figure(key, what, unit, value, null);
    }

    /** The same with a goal, where there is one. */
    Figure aimingAt(@Nullable Goal other) {
        return new Figure(key, what, unit, value, other);
    }

    boolean isMissed() {
        return goal != null && !goal.isMetBy(value);
    }

    String text() {
        return unit.text(value);
    }

    /** The goal and whether it was missed; nothing where there is none. */
    String goalText() {
        if (goal == null) {
            return "";
        }
        String bound = unit.text(goal.bound());
        return switch (goal.direction()) {
                    case AT_LEAST -> "at least ";
                    case AT_MOST -> "at most ";
                }
                + bound
                + (isMissed() ? ", missed" : ", met");
    }

    /** Rounded as it is worth; a whole number where it counts something. */
    Number json() {
        long rounded = Math.round(value * unit.parts);
        if (unit.parts == 1) {
            return rounded;
        }
        return rounded / unit.parts;
    }
}
