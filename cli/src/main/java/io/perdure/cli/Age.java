package io.perdure.cli;

import io.perdure.sdk.environment.SystemEnvironment;
import java.time.Duration;
import java.time.Instant;

/** How long ago something was, short enough for a column: in its largest unit, rounded down, such as 42s, 5m, 3h or 2d. */
final class Age {
    private Age() {}

    /** How long ago it was, by the clock of this machine; a store with a clock ahead of it makes that nought. */
    static Duration since(Instant time) {
        Duration age = Duration.between(time, new SystemEnvironment().clock().instant());
        return age.isNegative() ? Duration.ZERO : age;
    }

    static String text(Duration age) {
        if (age.toDays() > 0) {
            return age.toDays() + "d";
        }
        if (age.toHours() > 0) {
            return age.toHours() + "h";
        }
        return age.toMinutes() > 0 ? age.toMinutes() + "m" : age.toSeconds() + "s";
    }

    static String textSince(Instant time) {
        return text(since(time));
    }
}
