package io.perdure.core.store;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a page of runs, newest first.
 *
 * @param order what is newest
 * @param workflow only runs of this one
 * @param status only runs in this one
 * @param since only runs whose time, the one that the order is by, is then or later
 * @param until only runs whose time is before then
 * @param tags only runs that have all of these, each with this very value
 * @param after only runs that come behind this place in the order: where the page before ended
 */
public record RunQuery(
        TenantId tenant,
        Order order,
        @Nullable WorkflowName workflow,
        @Nullable RunStatus status,
        @Nullable Instant since,
        @Nullable Instant until,
        Map<String, String> tags,
        @Nullable Cursor after,
        int limit) {
    private static final RunId FIRST_ID = new RunId(new UUID(0, 0));

    public RunQuery {
        Bounds.page(limit);
        since = since == null ? null : Bounds.time(since);
        until = until == null ? null : Bounds.time(until);
        tags = Ordered.copy(tags);
        Bounds.tags(tags);
    }

    /** All runs of a tenant, one page. */
    public static RunQuery all(TenantId tenant, int limit) {
        return new RunQuery(tenant, Order.STARTED, null, null, null, null, Map.of(), null, limit);
    }

    /** The same question, from this place on. */
    public RunQuery from(@Nullable Cursor place) {
        return new RunQuery(tenant, order, workflow, status, since, until, tags, place, limit);
    }

    /** The place that all runs of the page are behind: the cursor, or where the time ends that was asked for. */
    public Cursor behind() {
        Cursor end = new Cursor(until == null ? Due.FAR_FUTURE : until, FIRST_ID);
        return after != null && end.isBefore(after) ? after : end;
    }

    /** The time that the page goes back to. */
    public Instant back() {
        return since == null ? Instant.EPOCH : since;
    }

    /** What runs are listed by; those of one time by their ids, the greater ones first. */
    public enum Order {
        /** When they started. */
        STARTED,
        /** When they ended; only ended runs are listed. */
        COMPLETED
    }

    /**
     * A place in the order of runs: stable while runs come and go.
     *
     * @param at when the run there started or ended, as the order says
     */
    public record Cursor(Instant at, RunId run) {
        public Cursor {
            at = Bounds.time(at);
        }

        /** Whether a page comes by this place first, and by the other one after it. */
        public boolean isBefore(Cursor other) {
            int byTime = at.compareTo(other.at);
            return byTime > 0 || (byTime == 0 && run.compareTo(other.run) > 0);
        }
    }
}
