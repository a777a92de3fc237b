package io.perdure.testkit;

import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The seed that was asked for with {@code -Dperdure.seed=N}, to run again what failed. */
public final class Seeds {
    /** The property that names a seed on the command line of the tests. */
    public static final String PROPERTY = "perdure.seed";

    private Seeds() {}

    /** The seed that was asked for, or none. Anything but a number is an error: a typo must not run something else. */
    public static LongStream asked() {
        return asked(System.getProperty(PROPERTY));
    }

    static LongStream asked(@Nullable String text) {
        try {
            return text == null ? LongStream.empty() : LongStream.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "-D" + PROPERTY + "=" + text + " is not a seed: it must be a whole number of 64 bits.", e);
        }
    }
}
