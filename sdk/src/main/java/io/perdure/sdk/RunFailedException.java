package io.perdure.sdk;

import org.jspecify.annotations.Nullable;

/**
 * A result was asked for, and the run ended without one: it failed ({@code PD-310}) or was cancelled ({@code PD-311}). If it failed, the cause is
 * a {@link io.perdure.sdk.history.RecordedException}, which has the class name, message and stack trace of the error that the run ended with.
 */
public final class RunFailedException extends PerdureException {
    private static final long serialVersionUID = 1L;

    public RunFailedException(ErrorCode code, String what) {
        this(code, what, null);
    }

    public RunFailedException(ErrorCode code, String what, @Nullable Throwable cause) {
        super(code, what, cause);
    }
}
