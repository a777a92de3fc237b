package io.perdure.sdk;

import org.jspecify.annotations.Nullable;

/** The state of a run or queue, or the key that was shown, did not allow what was asked. Nothing was changed. Some refusals are classes of their own, which carry the run that is concerned. */
public non-sealed class RefusedException extends PerdureException {
    private static final long serialVersionUID = 1L;

    public RefusedException(ErrorCode code, String what) {
        this(code, what, null);
    }

    public RefusedException(ErrorCode code, String what, @Nullable Throwable cause) {
        super(code, what, cause);
    }
}
