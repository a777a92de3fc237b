package io.perdure.sdk.workflow;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.RunId;

/**
 * Somebody else was first: the run has an event of the number that was to be appended. Nothing was changed; read the run, and decide
 * again. Among workers this is how a race ends that nobody hears of.
 */
public final class UniqueConflictException extends RefusedException {
    private static final long serialVersionUID = 1L;

    private final transient RunId run;

    public UniqueConflictException(RunId run, String what) {
        super(ErrorCode.UNIQUE_CONFLICT, what);
        this.run = run;
    }

    /** The run that has changed. */
    public RunId run() {
        return run;
    }
}
