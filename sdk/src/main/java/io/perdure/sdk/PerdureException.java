package io.perdure.sdk;

import org.jspecify.annotations.Nullable;

/**
 * The one root of everything Perdure throws. Its message starts with the code and says what happened, why, and what to
 * do, with the ids of what was concerned.
 */
public abstract sealed class PerdureException extends RuntimeException
        permits InvalidValueException,
                UnreadableHistoryException,
                StoreException,
                RefusedException,
                RunFailedException,
                WorkflowCodeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String what;

    PerdureException(ErrorCode code, String what, @Nullable Throwable cause) {
        super(code.code() + " " + what + " " + code.remedy(), cause);
        this.code = code;
        this.what = what;
    }

    /** The code of this error; its page is {@code docs/errors/<code>.md}. */
    public ErrorCode code() {
        return code;
    }

    /** What happened, without the code and the remedy that the message puts around it. */
    public String what() {
        return what;
    }
}
