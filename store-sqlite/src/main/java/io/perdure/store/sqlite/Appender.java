package io.perdure.store.sqlite;

import io.perdure.core.store.Draft;
import io.perdure.core.store.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Appends events that the run's status allows, and brings the run's row up to them where they say something about it. */
final class Appender {
    private static final String INSERT =
            "INSERT INTO event (tenant, run, seq, at, until, event) VALUES (?, ?, ?, ?, ?, ?)";

    private static final String PROJECT = """
            UPDATE run SET status = ?, version = ?, output = ?, error = ?, completed_at = ?, retires_at = ?
            WHERE tenant = ? AND id = ?""";

    /** What a run is after events were appended to it. */
    record Change(
            List<Recorded> events,
            RunStatus status,
            @Nullable Integer version,
            @Nullable Json output,
            @Nullable Failure error) {}

    private final Transaction transaction;
    private final Session session;

    Appender(Transaction transaction) {
        this.transaction = transaction;
        this.session = transaction.session;
    }

    Change append(RunFacts run, List<Draft> drafts) {
        Instant now = transaction.now();
        List<Recorded> appended = new ArrayList<>();
        Projection projection = new Projection(run);
        for (Draft draft : drafts) {
            Due until = draft.until();
            Instant fixed = until == null || until instanceof Due.Never ? null : until.fixedAt(now);
            Recorded event = new Recorded(run.last() + 1 + appended.size(), now, fixed, draft.event());
            appended.add(event);
            projection.apply(draft.event());
            session.update(
                    INSERT,
                    run.tenant().value(),
                    run.id().value(),
                    event.seq(),
                    now,
                    fixed,
                    EventJson.write(draft.event()).text());
        }
        if (projection.changed) {
            project(run, projection);
        }
        return new Change(appended, projection.status, projection.version, projection.output, projection.error);
    }

    private void project(RunFacts run, Projection projection) {
        boolean over = projection.status.isTerminal();
        Instant now = transaction.now();
        session.update(
                PROJECT,
                projection.status.word(),
                projection.version,
                projection.output == null ? null : projection.output.text(),
                projection.error == null ? null : projection.error.json().text(),
                over ? now : null,
                over ? now.plus(Duration.ofDays(run.retentionDays())) : null,
                run.tenant().value(),
                run.id().value());
        if (projection.status != run.status()) {
            transaction.countRun(run.tenant(), run.workflow(), run.status(), -1);
            transaction.countRun(run.tenant(), run.workflow(), projection.status, 1);
        }
    }

    /** The run's row, event by event. A run that is running has neither output nor error, so both begin empty. */
    private static final class Projection {
        RunStatus status;

        @Nullable
        Integer version;

        @Nullable
        Json output;

        @Nullable
        Failure error;

        boolean changed;

        Projection(RunFacts run) {
            status = run.status();
            version = run.version();
        }

        void apply(Event event) {
            status = status.after(event).orElseThrow();
            changed |= changesRow(event);
        }

        private boolean changesRow(Event event) {
            switch (event) {
                case Event.RunCompleted(Json result) -> output = result;
                case Event.RunFailed(Failure reason) -> error = reason;
                case Event.RunParked(String reason, String detail) -> error = new Failure(reason, detail, null);
                case Event.RunCancelled(String by, String reason) ->
                    error = new Failure("cancelled by " + by, reason, null);
                case Event.RunRedriven _ -> error = null;
                case Event.RunResumed resumed -> {
                    error = null;
                    version = resumed.version() == null ? version : resumed.version();
                }
                case Event.RunCreated _,
                        Event.StepStarted _,
                        Event.StepCompleted _,
                        Event.StepFailed _,
                        Event.SleepStarted _,
                        Event.WaitStarted _,
                        Event.EventReceived _,
                        Event.WaitTimedOut _,
                        Event.ChildStarted _,
                        Event.ChildEnded _ -> {
                    return false;
                }
            }
            return true;
        }
    }
}
