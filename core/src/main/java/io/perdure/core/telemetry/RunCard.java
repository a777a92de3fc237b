package io.perdure.core.telemetry;

import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunRow;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.worker.Held;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What those who watch need to know of a run: the commits of a worker name no more than its id.
 *
 * @param version absent until it is claimed for the first time, where its start left that open
 * @param lease the token of the lease that it was read under; absent where it was read under none
 * @param redrivenAt when it was put back to work after it had failed, the last time, by its history when it was read; absent where it was not, or nobody
 *     looked
 * @param caller where its starter stands in a trace
 * @param trace where it stands itself
 */
record RunCard(
        RunId run,
        WorkflowName workflow,
        @Nullable Integer version,
        @Nullable UUID lease,
        Instant startedAt,
        @Nullable Instant redrivenAt,
        Optional<TraceContext> caller,
        TraceContext trace) {
    /** Since when it goes on: its start, or when it was redriven. */
    Instant since() {
        return redrivenAt == null ? startedAt : redrivenAt;
    }

    static RunCard of(RunCommit.Start start, Instant at) {
        return new RunCard(
                start.run(),
                start.definition().workflow(),
                start.definition().version(),
                start.lease() == null ? null : start.lease().token(),
                at,
                null,
                TraceContext.ofCaller(start.options().tags()),
                TraceContext.ofRun(start.run(), start.options().tags()));
    }

    static RunCard of(RunRow row) {
        return new RunCard(
                row.id(),
                row.definition().workflow(),
                row.version(),
                null,
                row.startedAt(),
                null,
                TraceContext.ofCaller(row.tags()),
                TraceContext.ofRun(row.id(), row.tags()));
    }

    /**
     * A run that was claimed.
     *
     * @param history all of it, {@code RunCreated} first
     */
    static RunCard of(Held held, int version, List<Recorded> history) {
        Event.RunCreated created = (Event.RunCreated) history.getFirst().event();
        return new RunCard(
                held.run(),
                created.workflow(),
                version,
                held.token(),
                history.getFirst().at(),
                redrivenAt(history),
                TraceContext.ofCaller(created.tags()),
                TraceContext.ofRun(held.run(), created.tags()));
    }

    /** The same run, redriven then, or not at all. */
    RunCard redriven(@Nullable Instant at) {
        return new RunCard(run, workflow, version, lease, startedAt, at, caller, trace);
    }

    /** When a run was redriven, the last time in these events; absent where it was not. */
    static @Nullable Instant redrivenAt(List<Recorded> history) {
        return history.reversed().stream()
                .filter(recorded -> recorded.event() instanceof Event.RunRedriven)
                .findFirst()
                .map(Recorded::at)
                .orElse(null);
    }
}
