package io.perdure.sdk.history;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the type, message, cause and stack trace of a thrown error. The error's class may override these methods with code that throws
 * anything, also a checked exception; the thrown error is then described instead.
 */
final class ThrowableReader {
    private ThrowableReader() {}

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
        } catch (Throwable e) {
            return "its message threw " + e.getClass().getName() + plain(e);
        }
    }

    /** Returns the message of an error that the method of another error threw. If this message throws too, it is left out. */
    private static String plain(Throwable thrown) {
        try {
            return ": " + thrown.getMessage();
        } catch (Throwable e) {
            return ", whose message threw " + e.getClass().getName();
        }
    }

    static @Nullable Throwable cause(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (Throwable e) {
            return e;
        }
    }

    static StackTraceElement[] stackTrace(Throwable thrown) {
        try {
            StackTraceElement[] frames = thrown.getStackTrace();
            return frames == null
                    ? new StackTraceElement[0]
                    : Stream.of(frames).filter(Objects::nonNull).toArray(StackTraceElement[]::new);
        } catch (Throwable e) {
            return new StackTraceElement[] {
                new StackTraceElement(e.getClass().getName(), "thrownByGetStackTrace", null, -1)
            };
        }
    }
}
