package io.perdure.sdk.workflow;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.RunId;

/** Another run has the workflow id, and is running or parked. Nothing was changed. */
public final class AlreadyActiveException extends RefusedException {
    private static final long serialVersionUID = 1L;

    private final transient RunId activeRun;

    public AlreadyActiveException(RunId activeRun, String what) {
        super(ErrorCode.WORKFLOW_ID_HELD, what);
        this.activeRun = activeRun;
    }

    /** The run that has it. */
    public RunId activeRun() {
        return activeRun;
    }
}
