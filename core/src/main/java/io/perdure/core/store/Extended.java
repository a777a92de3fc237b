package io.perdure.core.store;

import io.perdure.sdk.history.RunStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The answer to {@link Extend}. */
public sealed interface Extended {
    /** The lease now ends then. */
    record Until(Instant time) implements Extended {}

    /**
     * The lease is lost.
     *
     * @param status the status of the run with the receipt's id, so that a worker learns of a cancel; absent where there is
     *     none
     */
    record Lost(@Nullable RunStatus status) implements Extended {}
}
