package io.perdure.core.store;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.worker.Claim.Served;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A worker's request for runs that are due.
 *
 * <p>The queues take turns, in the order of {@code served} and of falling version: first the oldest of each, then the next
 * of each. Within a queue the order is by when the run became ready, then by id. A caller that wants to be fair rotates
 * {@code served}.
 *
 * @param served what the worker has code for; runs of no version yet take the newest one named here
 * @param max how many runs it has room for
 * @param reclaimsUntil the time, by the store's clock, up to which runs may be among them whose lease ran out. A store that
 *     stood still meets a claim later than it was meant: then it must not take from holders who could not reach it either
 */
public record ClaimRuns(TenantId tenant, List<Served> served, int max, Lease lease, Instant reclaimsUntil) {
    public ClaimRuns {
        served = List.copyOf(served);
        reclaimsUntil = Bounds.time(reclaimsUntil);
        Bounds.claimed(max);
        requireEachOnce(served);
    }

    public ClaimRuns(TenantId tenant, List<Served> served, int max, Lease lease) {
        this(tenant, served, max, lease, Due.FAR_FUTURE);
    }

    static void requireEachOnce(List<Served> served) {
        Bounds.listed(served.size());
        Commit.require(
                served.stream().map(Served::workflow).distinct().count() == served.size(),
                "Who serves workflows names each once.");
    }

    /** Whether runs whose lease ran out may be taken at this time of the store's clock. */
    public boolean reclaimsAt(Instant now) {
        return now.isBefore(reclaimsUntil);
    }

    /**
     * The queues asked for, in the order of their turns: of each workflow its versions from the newest down, then the runs that
     * have no version yet.
     */
    public List<Line> lines() {
        return served.stream().flatMap(ClaimRuns::lines).toList();
    }

    /** A queue of runs, and the version that its runs go on with. */
    public record Line(WorkflowName workflow, QueueName queue, int version) {
        /** The queue that they are in once they are claimed. */
        public QueueName becomes() {
            return QueueName.ofRuns(workflow, version);
        }
    }

    /** The queues of a workflow: its versions from the newest down, then the runs that have no version yet. */
    private static Stream<Line> lines(Served served) {
        WorkflowName workflow = served.workflow();
        Stream<Line> versioned = served.versions().stream()
                .sorted(Comparator.reverseOrder())
                .map(version -> new Line(workflow, QueueName.ofRuns(workflow, version), version));
        return Stream.concat(
                versioned,
                Stream.of(new Line(workflow, QueueName.ofRuns(workflow, null), Collections.max(served.versions()))));
    }
}
