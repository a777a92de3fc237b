package io.perdure.core.telemetry;

import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunRow;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.trace.TraceContext;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What those who watch need to know of a run: the commits of a worker name no more than its id.
 *
 * @param version absent until it is claimed for the first time, where its start left that open
 * @param caller where its starter stands in a trace
 * @param trace where it stands itself
 */
record RunCard(
        RunId run,
        WorkflowName workflow,
        @Nullable Integer version,
        Instant startedAt,
        Optional<TraceContext> caller,
        TraceContext trace) {
    private static RunCard of(
            RunId run, WorkflowName workflow, @Nullable Integer version, Instant startedAt, Map<String, String> tags) {
        return new RunCard(
                run, workflow, version, startedAt, TraceContext.ofCaller(tags), TraceContext.ofRun(run, tags));
    }

    static RunCard of(RunCommit.Start start, Instant at) {
        return of(
                start.run(),
                start.definition().workflow(),
                start.definition().version(),
                at,
                start.options().tags());
    }

    static RunCard of(RunRow row) {
        return of(row.id(), row.definition().workflow(), row.version(), row.startedAt(), row.tags());
    }

    /**
     * A run that was claimed.
     *
     * @param created the first event of its history
     */
    static RunCard of(RunId run, int version, Recorded created) {
        Event.RunCreated event = (Event.RunCreated) created.event();
        return of(run, event.workflow(), version, created.at(), event.tags());
    }
}
