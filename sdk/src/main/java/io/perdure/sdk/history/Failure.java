package io.perdure.sdk.history;

import io.perdure.sdk.Limits;
import org.jspecify.annotations.Nullable;

/**
 * An error as a history keeps it: what an operator reads months later, without the class that threw it. A message that is
 * too long is cut.
 *
 * @param type the class of the error, or a word for one that has no class, such as {@code timeout}
 */
public record Failure(String type, String message, @Nullable Failure cause) {
    private static final Limits.Values LIMITS = Limits.defaults().values();

    public Failure {
        message = cut(message);
    }

    /** Writes down a thrown error with its causes, as deep as the limit allows. */
    public static Failure of(Throwable thrown) {
        return of(thrown, LIMITS.errorCauses());
    }

    private static Failure of(Throwable thrown, int causes) {
        Throwable cause = thrown.getCause();
        return new Failure(
                thrown.getClass().getName(),
                thrown.getMessage() == null ? "" : thrown.getMessage(),
                cause == null || causes == 0 ? null : of(cause, causes - 1));
    }

    private static String cut(String text) {
        return text.length() <= LIMITS.errorCharacters()
                ? text
                : text.substring(0, LIMITS.errorCharacters() - 1) + "…";
    }
}
