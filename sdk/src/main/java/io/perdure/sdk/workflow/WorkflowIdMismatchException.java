package io.perdure.sdk.workflow;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.RunId;

/** A start named a workflow id, and its idempotency key leads to a run that has another one, or none. Nothing was changed. */
public final class WorkflowIdMismatchException extends RefusedException {
    private static final long serialVersionUID = 1L;

    private final transient RunId run;

    public WorkflowIdMismatchException(RunId run, String what) {
        super(ErrorCode.WORKFLOW_ID_MISMATCH, what);
        this.run = run;
    }

    /** The run that the key leads to. */
    public RunId run() {
        return run;
    }
}
