package io.perdure.sdk.worker;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.workflow.Attempt;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Does what a replay has no record of. What cannot be done within this turn is thrown as a {@link Suspension}. */
interface Performer {
    /** Tries a step from this attempt on until it returns; answers its output, which is yet to be made durable. */
    @Nullable
    Json step(StepName step, int attempt, Retry retry, Work work);

    /** Sleeps; answers when the sleep ended. */
    Instant sleep(StepName name, Due until);

    /** Waits for the rest of a delay or a sleep that was recorded before. */
    void rest(Instant until);

    /**
     * Waits for an event; answers its payload, or nothing where the wait has ended without one.
     *
     * @param until when it gives up
     */
    Optional<Json> await(Wait wait, Due until);

    /**
     * Goes on with a wait that was recorded before.
     *
     * @param until when it gives up; absent where it does not
     */
    Optional<Json> awaitOn(Wait wait, @Nullable Instant until);

    /** When what was done last became durable. */
    Instant lastEvent();

    /** The attempt that is under way, if one is. */
    @Nullable
    Attempt attempt();

    /** Whether the code was abandoned, so that all it asks for is refused. */
    default boolean isAbandoned() {
        return false;
    }

    /** A step's code, and how its result is written. */
    record Work(Code code, Writer writer) {}

    /** Where the world is touched. */
    interface Code {
        @Nullable
        Object run() throws Exception;
    }

    /** Writes a result; what it throws is a mistake in the workflow, not a failure of the step. */
    interface Writer {
        @Nullable
        Json write(@Nullable Object value);
    }
}
