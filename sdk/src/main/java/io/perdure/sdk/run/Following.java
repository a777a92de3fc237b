package io.perdure.sdk.run;

import io.perdure.sdk.history.Recorded;
import java.time.Duration;
import java.util.List;

/** Tells what happens to a run as it happens, each event once and in order, until the run has ended. For one thread at a time. */
public interface Following extends AutoCloseable {
    /**
     * What has happened since the answer before; waits for it, at most so long. Answers an empty list where the time is over, or the run
     * has ended and all was told. {@code PD-301} where the run was swept meanwhile, {@code PD-203} once the engine is closed,
     * {@code PD-312} where the waiter was interrupted, whose flag stays set.
     */
    List<Recorded> next(Duration atMost);

    /** Whether the run has ended and its last event was told. */
    boolean isOver();

    /** Closing again does nothing. */
    @Override
    void close();
}
