package io.perdure.core.store;

import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a page of runs, newest start first.
 *
 * @param workflow only runs of this one
 * @param status only runs in this one
 * @param since only runs that started then or later
 * @param until only runs that started before then
 * @param after only runs that come after this one in the order of the page before
 */
public record RunQuery(
        TenantId tenant,
        @Nullable WorkflowName workflow,
        @Nullable RunStatus status,
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable Cursor after,
        int limit) {
    public RunQuery {
        Bounds.page(limit);
        since = since == null ? null : Bounds.time(since);
        until = until == null ? null : Bounds.time(until);
    }

    /** All runs of a tenant, one page. */
    public static RunQuery all(TenantId tenant, int limit) {
        return new RunQuery(tenant, null, null, null, null, null, limit);
    }

    /** A place in the order of runs: stable while runs come and go. */
    public record Cursor(Instant startedAt, RunId run) {}
}
