package io.perdure.sdk;

import org.jspecify.annotations.Nullable;

/** The state of a run or queue did not allow what was asked. Nothing was changed. */
public sealed class RefusedException extends PerdureException
        permits AlreadyActiveException, UniqueConflictException, WorkflowIdMismatchException {
    private static final long serialVersionUID = 1L;

    public RefusedException(ErrorCode code, String what) {
        this(code, what, null);
    }

    public RefusedException(ErrorCode code, String what, @Nullable Throwable cause) {
        super(code, what, cause);
    }
}
