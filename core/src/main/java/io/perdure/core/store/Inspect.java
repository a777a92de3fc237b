package io.perdure.core.store;

import io.perdure.core.store.RunQuery.Cursor;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Asks for runs that something may be wrong with, among a bounded number that are looked at.
 *
 * @param scope which runs are looked at
 * @param overdueBy how long ago the time of a run's newest event must have passed
 * @param after where the inspection before ended: only runs behind this place are looked at
 * @param limit how many runs are looked at, at most
 */
public record Inspect(
        TenantId tenant,
        Scope scope,
        Duration overdueBy,
        @Nullable Cursor after,
        int limit) {
    public Inspect {
        Bounds.page(limit);
        Instant _ = Bounds.ago(overdueBy, Instant.EPOCH);
        Commit.require(scope == Scope.ALL || after == null, "An inspection of leased runs has no place to go on from.");
    }

    /** The same question, from this place on. */
    public Inspect from(@Nullable Cursor place) {
        return new Inspect(tenant, scope, overdueBy, place, limit);
    }

    /** Which runs are looked at. */
    public enum Scope {
        /**
         * Those that somebody holds a lease of which has not run out, as it ends the soonest. Among many that are asleep a store may
         * miss some, for it looks at no more than {@code calls.examinedRows} messages that come due next.
         */
        LEASED,
        /** All runs, the oldest first, then by id; whatever their status, each is one of those that are looked at. */
        ALL
    }
}
