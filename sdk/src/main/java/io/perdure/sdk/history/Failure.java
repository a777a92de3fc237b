package io.perdure.sdk.history;

import io.perdure.sdk.Limits;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * An error as a history keeps it: what an operator reads months later, without the class that threw it. Texts that are too
 * long are cut, and causes that lie too deep are left out.
 *
 * @param type the class of the error, or a word for one that has no class, such as {@code timeout}
 */
public record Failure(String type, String message, @Nullable Failure cause) {
    private static final Limits.Values LIMITS = Limits.defaults().values();

    public Failure {
        type = cut(type);
        message = cut(message);
        cause = cause == null ? null : shallow(cause, LIMITS.errorCauses() - 1);
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

    /** The same with so many causes at most. */
    private static Failure shallow(Failure failure, int causes) {
        if (failure.depth() <= causes) {
            return failure;
        }
        Failure cause = failure.cause();
        return new Failure(
                failure.type(), failure.message(), cause == null || causes == 0 ? null : shallow(cause, causes - 1));
    }

    /** The written form: {@code {"type": …, "message": …, "cause": …}}. */
    public Json json() {
        return JsonObject.builder()
                .put("type", type)
                .put("message", message)
                .put("cause", cause == null ? null : cause.json())
                .build();
    }

    /** Reads the written form; {@code PD-004} where it is not one. */
    public static Failure read(Json json) {
        JsonObject object = JsonObject.parse(json);
        return new Failure(
                object.string("type"),
                object.string("message"),
                object.get("cause").map(Failure::read).orElse(null));
    }

    private int depth() {
        return cause == null ? 0 : 1 + cause.depth();
    }

    /** Cuts a text about an error to the length that is kept, at a whole character. */
    public static String cut(String text) {
        if (text.length() <= LIMITS.errorCharacters()) {
            return text;
        }
        int end = LIMITS.errorCharacters() - 1;
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
