package io.perdure.sdk;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A value was refused at the door, before anything was read or written: a name, a key, a size, a setting. */
public final class InvalidValueException extends PerdureException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String field;

    public InvalidValueException(ErrorCode code, String what) {
        this(code, what, null);
    }

    public InvalidValueException(ErrorCode code, String what, @Nullable Throwable cause) {
        super(code, what, cause);
        this.field = null;
    }

    private InvalidValueException(String field, String why) {
        super(ErrorCode.INVALID_FIELD, "Field \"%s\" %s".formatted(field, why), null);
        this.field = field;
    }

    /**
     * {@code PD-609}: what a request holds in this field cannot be taken.
     *
     * @param why goes on after the field's name, as in {@code "is missing."}
     */
    public static InvalidValueException ofField(String field, String why) {
        return new InvalidValueException(field, why);
    }

    private InvalidValueException(String field, InvalidValueException wrong) {
        super(wrong.code(), "Field \"%s\": %s".formatted(field, wrong.what()), wrong);
        this.field = field;
    }

    /** The same error, of a value that a request holds in this field. */
    public InvalidValueException in(String name) {
        return new InvalidValueException(name, this);
    }

    /** The field of the request that is concerned, where it is known. */
    public Optional<String> field() {
        return Optional.ofNullable(field);
    }
}
