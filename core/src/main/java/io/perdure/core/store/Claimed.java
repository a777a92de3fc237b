package io.perdure.core.store;

import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@link ClaimRuns}.
 *
 * @param nextReady the next time at which a run of the queues asked for becomes ready or its lease ends, always later than
 *     this answer. Who was given less than asked for need not ask again before, unless a hint comes
 */
public record Claimed(List<ClaimedRun> runs, @Nullable Instant nextReady) {
    public Claimed {
        runs = List.copyOf(runs);
    }

    /**
     * A run that is now leased. Its history is to be read after this answer, not before.
     *
     * @param lapses leases in a row that ran out since the last new event, or release that waits for one: 1 when the lease before this one ran out after
     *     it had brought an event. A run that is given back as it was claimed keeps them. A worker parks the run when they reach
     *     {@code Limits.Runs.lapsesBeforeParking}
     * @param leasedUntil when the lease ends unless it is extended
     */
    public record ClaimedRun(
            RunId run, WorkflowName workflow, int version, Receipt receipt, int lapses, Instant leasedUntil) {}
}
