package io.perdure.sdk;

import org.jspecify.annotations.Nullable;

/**
 * A workflow's code did what it must not do. Where a run is concerned it is parked with this message, and goes on once the code is
 * mended and the run is resumed.
 */
public final class WorkflowCodeException extends PerdureException {
    private static final long serialVersionUID = 1L;

    public WorkflowCodeException(ErrorCode code, String what) {
        this(code, what, null);
    }

    public WorkflowCodeException(ErrorCode code, String what, @Nullable Throwable cause) {
        super(code, what, cause);
    }
}
