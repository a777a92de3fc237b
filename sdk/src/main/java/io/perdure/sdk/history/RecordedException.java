package io.perdure.sdk.history;

import org.jspecify.annotations.Nullable;

/**
 * Stands for an error that a run recorded, whose class need not be known here. It prints as that error did where it was thrown: with its class name,
 * message, stack trace, causes and suppressed errors, as far as they were recorded. It is the cause of the
 * {@link io.perdure.sdk.RunFailedException} of a failed run.
 */
public final class RecordedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String type;
    private final String said;

    RecordedException(String type, String said, @Nullable Throwable cause) {
        super(said.isEmpty() ? type : type + ": " + said, cause);
        this.type = type;
        this.said = said;
    }

    /** Returns the recorded error, with its causes and its stack trace. */
    public static RecordedException of(Failure failure) {
        return StackTraceReader.read(failure, true);
    }

    /** Returns the recorded error without the messages, which may quote what a step worked on. Logs show it so. */
    public static RecordedException withoutMessages(Failure failure) {
        return StackTraceReader.read(failure, false);
    }

    /** Returns the class name of the recorded error, or a word for one that has no class, such as {@code timeout}. */
    public String type() {
        return type;
    }

    /** Returns the message of the recorded error, empty if it has none. {@link #getMessage()} has the class name in front of it. */
    public String said() {
        return said;
    }

    /** Leaves out where this object was made: {@link StackTraceReader} sets the frames that were recorded. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    /** Returns the class name and the message of the recorded error. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // By itself it would begin with the name of this class.
    public String toString() {
        return String.valueOf(getMessage());
    }
}
