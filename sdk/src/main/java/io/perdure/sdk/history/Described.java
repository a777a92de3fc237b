package io.perdure.sdk.history;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a thrown error says about itself. Its methods are code of others: what they throw takes the place of what they would return. */
final class Described {
    private Described() {}

    static String type(Throwable thrown) {
        return thrown instanceof RecordedException recorded
                ? recorded.type()
                : thrown.getClass().getName();
    }

    /** Returns the error's message, empty if it has none. */
    static String message(Throwable thrown) {
        try {
            String message = thrown instanceof RecordedException recorded ? recorded.said() : thrown.getMessage();
            return message == null ? "" : message;
        } catch (RuntimeException | Error e) {
            return "its message threw " + e.getClass().getName() + plain(e);
        }
    }

    /** The message of an error that another one's method threw: one that throws again says nothing. */
    private static String plain(Throwable thrown) {
        try {
            return ": " + thrown.getMessage();
        } catch (RuntimeException | Error e) {
            return ", whose message threw " + e.getClass().getName();
        }
    }

    static @Nullable Throwable cause(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    static StackTraceElement[] stackTrace(Throwable thrown) {
        try {
            StackTraceElement[] frames = thrown.getStackTrace();
            return frames == null
                    ? new StackTraceElement[0]
                    : Stream.of(frames).filter(Objects::nonNull).toArray(StackTraceElement[]::new);
        } catch (RuntimeException | Error e) {
            return new StackTraceElement[] {
                new StackTraceElement(e.getClass().getName(), "thrownByGetStackTrace", null, -1)
            };
        }
    }
}
