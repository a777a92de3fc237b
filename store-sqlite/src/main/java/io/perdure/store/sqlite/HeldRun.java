package io.perdure.store.sqlite;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What decides about a plain commit of the worker that holds a run, and nothing that others may change without taking the
 * lease away: neither wakes nor the lease's end.
 *
 * @param row its place in the table of runs
 * @param token of the lease
 * @param last the number of its last event
 */
record HeldRun(TenantId tenant, RunId id, long row, Traits traits, UUID token, long last) {
    /**
     * What stays as it is for as long as the run is held.
     *
     * @param tied whether its end concerns others: it has a parent, or a workflow id to give up
     */
    record Traits(
            WorkflowName workflow,
            @Nullable Integer version,
            int retentionDays,
            @Nullable Instant deadline,
            boolean tied) {}

    /** The run after so many more events. */
    HeldRun after(int events) {
        return new HeldRun(tenant, id, row, traits, token, last + events);
    }

    /** The earlier of a time and the run's deadline. */
    Instant orDeadline(Instant time) {
        Instant deadline = traits.deadline();
        return deadline != null && deadline.isBefore(time) ? deadline : time;
    }
}
