package io.perdure.sdk.run;

import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.worker.Claim;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * A worker that is alive as far as the store knows.
 *
 * @param name what people know it by
 * @param served what it has code for
 * @param concurrency how many runs it works on at once
 * @param since when it first said that it is alive, without a gap until now
 * @param until when it counts as gone, unless it says before that it is alive
 */
public record LiveWorker(
        ProcessId process, String name, List<Claim.Served> served, int concurrency, Instant since, Instant until) {
    /** By name, then by process. */
    public static final Comparator<LiveWorker> ORDER =
            Comparator.comparing(LiveWorker::name).thenComparing(LiveWorker::process);

    public LiveWorker {
        served = List.copyOf(served);
    }
}
