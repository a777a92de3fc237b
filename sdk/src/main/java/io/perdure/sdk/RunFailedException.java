package io.perdure.sdk;

import org.jspecify.annotations.Nullable;

/** A result was asked for, and the run ended without one: it failed ({@code PD-310}) or was cancelled ({@code PD-311}). */
public final class RunFailedException extends PerdureException {
    private static final long serialVersionUID = 1L;

    public RunFailedException(ErrorCode code, String what) {
        this(code, what, null);
    }

    public RunFailedException(ErrorCode code, String what, @Nullable Throwable cause) {
        super(code, what, cause);
    }
}
