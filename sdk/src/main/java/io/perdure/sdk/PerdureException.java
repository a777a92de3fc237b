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

    /**
     * The same error in other words, with this one as its cause. Many callers can fail for one reason: an instance that they shared would
     * show the stack of one to all of them, and collect what each suppresses.
     */
    public PerdureException retold(String other) {
        return switch (this) {
            case StoreException _ -> new StoreException(code, other, this);
            case InvalidValueException _ -> new InvalidValueException(code, other, this);
            case RefusedException _ -> new RefusedException(code, other, this);
            case UnreadableHistoryException _ -> new UnreadableHistoryException(code, other, this);
            case WorkflowCodeException _ -> new WorkflowCodeException(code, other, this);
            case RunFailedException _ -> new RunFailedException(code, other, this);
        };
    }
}
