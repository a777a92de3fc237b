package io.perdure.core.store;

import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import java.util.List;
import java.util.Set;

/**
 * A worker's request for runs that are due.
 *
 * <p>The queues take turns, in the order of {@code served} and of falling version: first the oldest of each, then the next
 * of each. Within a queue the order is by when the run became ready, then by id. A caller that wants to be fair rotates
 * {@code served}.
 *
 * @param served what the worker has code for; runs of no version yet take the newest one named here
 * @param max how many runs it has room for
 */
public record ClaimRuns(TenantId tenant, List<Served> served, int max, Lease lease) {
    public ClaimRuns {
        served = List.copyOf(served);
        Bounds.claimed(max);
        Bounds.listed(served.size());
        Commit.require(
                served.stream().map(Served::workflow).distinct().count() == served.size(),
                "A claim names each workflow once.");
    }

    /** A workflow and the versions of it that a worker has code for. */
    public record Served(WorkflowName workflow, Set<Integer> versions) {
        public Served {
            versions = Ordered.copy(versions);
            Commit.require(!versions.isEmpty(), "A worker serves a version at least.");
            Commit.require(versions.stream().allMatch(version -> version >= 1), "A workflow's version is 1 or more.");
        }
    }
}
