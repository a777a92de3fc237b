package io.perdure.sdk.worker;

import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import org.jspecify.annotations.Nullable;

/** Hears what becomes of one turn of a run, so that whoever waits for its result in the same process need not ask the store. */
public interface Follower {
    /** The run has ended or is parked, durably. */
    void ended(RunStatus status, @Nullable Json output, @Nullable Failure error);

    /** The worker has let go of the run, or lost it: what becomes of it is for the store to tell. */
    void left();
}
