package io.perdure.sdk;

import org.jspecify.annotations.Nullable;

/** The store did not answer, or is not what it was. Where a commit was under way its outcome is unknown, not failed. */
public final class StoreException extends PerdureException {
    private static final long serialVersionUID = 1L;

    public StoreException(ErrorCode code, String what) {
        this(code, what, null);
    }

    public StoreException(ErrorCode code, String what, @Nullable Throwable cause) {
        super(code, what, cause);
    }
}
