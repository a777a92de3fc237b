package io.perdure.sdk;

import org.jspecify.annotations.Nullable;

/** A recorded event cannot be read by this release. Nothing was changed; the run stays as it is. */
public final class UnreadableHistoryException extends PerdureException {
    private static final long serialVersionUID = 1L;

    public UnreadableHistoryException(ErrorCode code, String what) {
        this(code, what, null);
    }

    public UnreadableHistoryException(ErrorCode code, String what, @Nullable Throwable cause) {
        super(code, what, cause);
    }

    /** What may stand in a log: what is said of an event that is damaged may quote it. */
    public String logged() {
        return code() == ErrorCode.DAMAGED_EVENT
                ? code().code() + " " + code().title() + ". " + code().remedy()
                : String.valueOf(getMessage());
    }
}
