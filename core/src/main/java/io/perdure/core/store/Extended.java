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
     * @param status the run's status, so that a worker learns of a cancel; absent for messages of users and runs that are
     *     gone
     */
    record Lost(@Nullable RunStatus status) implements Extended {}
}
