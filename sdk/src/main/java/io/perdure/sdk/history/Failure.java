package io.perdure.sdk.history;

import io.perdure.sdk.Limits;
import io.perdure.sdk.ValueLimits;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An error as a history keeps it: what an operator reads months later, without the class that threw it. Texts that are too
 * long are cut, and causes that lie too deep are left out.
 *
 * @param type the class of the error, or a word for one that has no class, such as {@code timeout}
 * @param stackTrace where the error and its causes were thrown, as {@link Throwable} prints it, without Perdure's own
 *     frames, up to {@link ValueLimits#stackTraceBytes}; absent for a cause, which the stack trace of its error includes, for an error that
 *     was not thrown, and for one that an older release recorded
 */
public record Failure(
        String type,
        String message,
        @Nullable Failure cause,
        @Nullable String stackTrace) {
    private static final ValueLimits LIMITS = Limits.defaults().values();
    private static final String TIMEOUT = "timeout";

    public Failure {
        type = cut(type);
        message = cut(message);
        cause = cause == null ? null : shallow(cause, LIMITS.errorCauses() - 1);
        stackTrace = stackTrace == null ? null : StackTraceText.cut(stackTrace, LIMITS.stackTraceBytes());
    }

    /** Makes a failure without a stack trace. */
    public Failure(String type, String message, @Nullable Failure cause) {
        this(type, message, cause, null);
    }

    /** Returns the recorded form of a thrown error, with its causes as deep as the limit allows and its stack trace. */
    public static Failure of(Throwable thrown) {
        return of(thrown, LIMITS.stackTraceBytes());
    }

    /**
     * Returns the recorded form of a thrown error, with a stack trace of up to the given number of bytes.
     *
     * @param thrown the error; what its methods throw is recorded instead of what they would return
     * @param stackTraceBytes the number of bytes of UTF-8 that the stack trace may have; 0 records none
     */
    public static Failure of(Throwable thrown, int stackTraceBytes) {
        Failure bare = bare(thrown);
        return new Failure(bare.type, bare.message, bare.cause, StackTraceText.of(thrown, stackTraceBytes));
    }

    /**
     * Returns the failure of an attempt that was interrupted because it took too long.
     *
     * @param message how long it was allowed to take
     * @param thrown what it threw when it was interrupted, which shows where it hung
     * @param stackTraceBytes the number of bytes of UTF-8 that the stack trace may have; 0 records none
     */
    public static Failure timeout(String message, Throwable thrown, int stackTraceBytes) {
        return new Failure(
                TIMEOUT,
                message,
                bare(thrown),
                StackTraceText.under(TIMEOUT + ": " + message, thrown, stackTraceBytes));
    }

    /** An error and its causes, without the stack trace. */
    private static Failure bare(Throwable thrown) {
        return bare(thrown, LIMITS.errorCauses(), Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static Failure bare(Throwable thrown, int causes, Set<Throwable> above) {
        above.add(thrown);
        Throwable cause = causes == 0 ? null : ThrowableReader.cause(thrown);
        return new Failure(
                ThrowableReader.type(thrown),
                ThrowableReader.message(thrown),
                cause == null || above.contains(cause) ? null : bare(cause, causes - 1, above));
    }

    /** Returns this failure without its stack trace. */
    public Failure withoutStackTrace() {
        return stackTrace == null ? this : new Failure(type, message, cause);
    }

    /** Returns this failure without stack traces and with at most the given number of causes. */
    private static Failure shallow(Failure failure, int causes) {
        if (failure.depth() <= causes) {
            return failure.withoutStackTrace();
        }
        Failure cause = failure.cause();
        return new Failure(
                failure.type(), failure.message(), cause == null || causes == 0 ? null : shallow(cause, causes - 1));
    }

    /** Returns the written form: {@code {"type": …, "message": …, "stackTrace": …, "cause": …}}. */
    public Json json() {
        return JsonObject.builder()
                .put("type", type)
                .put("message", message)
                .put("stackTrace", stackTrace)
                .put("cause", cause == null ? null : cause.json())
                .build();
    }

    /** Reads the written form; throws {@code PD-004} if it is something else. */
    public static Failure read(Json json) {
        JsonObject object = JsonObject.parse(json);
        return new Failure(
                object.string("type"),
                object.string("message"),
                object.get("cause").map(Failure::read).orElse(null),
                object.has("stackTrace") ? object.string("stackTrace") : null);
    }

    /** Returns type, message and cause; the stack trace would fill pages of whatever quotes this. */
    @Override
    public String toString() {
        return "Failure[type=" + type + ", message=" + message + ", cause=" + cause + "]";
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
