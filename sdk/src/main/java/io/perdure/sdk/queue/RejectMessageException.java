package io.perdure.sdk.queue;

/** Thrown by a {@link MessageHandler} to give a message up: delivering it again would be in vain. Its message is kept as the reason. */
public final class RejectMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RejectMessageException(String reason) {
        super(reason);
    }

    public RejectMessageException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
