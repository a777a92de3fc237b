package io.perdure.core.store;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;

/** Why a store refused a commit. */
public enum Refusal {
    NO_SUCH_RUN(ErrorCode.NO_SUCH_RUN),
    RUN_ENDED(ErrorCode.RUN_ENDED),
    KEY_REUSED(ErrorCode.KEY_REUSED),
    NOT_ALLOWED(ErrorCode.NOT_ALLOWED),
    WORKFLOW_ID_HELD(ErrorCode.WORKFLOW_ID_HELD),
    MAILBOX_FULL(ErrorCode.MAILBOX_FULL),
    NO_SUCH_SIGNAL(ErrorCode.NO_SUCH_SIGNAL),
    HISTORY_FULL(ErrorCode.HISTORY_FULL),
    /**
     * A value that passed every check of ours, and that the database would not take all the same. Its neighbours in the batch
     * were applied.
     */
    BAD_VALUE(ErrorCode.BAD_VALUE),
    NO_SUCH_QUEUE(ErrorCode.NO_SUCH_QUEUE),
    QUEUE_DIFFERS(ErrorCode.QUEUE_DIFFERS),
    NO_SUCH_MESSAGE(ErrorCode.NO_SUCH_MESSAGE),
    QUEUE_NOT_EMPTY(ErrorCode.QUEUE_NOT_EMPTY),
    DELAY_TOO_LONG(ErrorCode.DELAY_TOO_LONG);

    private final ErrorCode code;

    Refusal(ErrorCode code) {
        this.code = code;
    }

    /** The error a user meets. */
    public ErrorCode code() {
        return code;
    }

    /** The refusal as it is thrown to a user. */
    public RefusedException because(String detail) {
        return new RefusedException(code, detail);
    }
}
