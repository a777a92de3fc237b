package io.perdure.sdk.run;

import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;

/** Where a {@link Run} is asked for: the engine of this process, or a server. Safe for many threads. */
public interface RunSource {
    /** Waits for a run's result, see {@link Run#result}. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // Its type is the parameter.
    <T> T result(RunId run, Type type, Duration atMost);

    /** Where a run stands now; {@code PD-301} where there is none. */
    RunInfo info(RunId run);

    /** What has happened to a run from the event of this number on; {@code PD-301} where there is none. */
    List<Recorded> history(RunId run, long from);

    /** Follows a run from the event of this number on; {@code PD-301} where there is none. */
    Following follow(RunId run, long from);
}
