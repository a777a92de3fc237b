package io.perdure.core.store;

import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueBounds;
import io.perdure.sdk.worker.Claim;
import java.time.Duration;
import java.util.List;

/**
 * A worker says that it is alive, and what it has code for.
 *
 * @param name what people know it by: several may have the same
 * @param concurrency how many runs it works on at once
 * @param length how long it counts as alive by the store's clock, unless it says so again
 */
public record Announcement(
        TenantId tenant, ProcessId process, String name, List<Claim.Served> served, int concurrency, Duration length) {
    public Announcement {
        served = List.copyOf(served);
        Bounds.name("A worker's name", name);
        Commit.require(!served.isEmpty(), "A worker serves a workflow at least.");
        ClaimRuns.requireEachOnce(served);
        Bounds.concurrency(concurrency);
        QueueBounds.lease(length);
    }
}
