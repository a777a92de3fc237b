package io.perdure.sdk;

import org.jspecify.annotations.Nullable;

/** A value was refused at the door, before anything was read or written: a name, a key, a size, a setting. */
public final class InvalidValueException extends PerdureException {
    private static final long serialVersionUID = 1L;

    public InvalidValueException(ErrorCode code, String what) {
        this(code, what, null);
    }

    public InvalidValueException(ErrorCode code, String what, @Nullable Throwable cause) {
        super(code, what, cause);
    }
}
