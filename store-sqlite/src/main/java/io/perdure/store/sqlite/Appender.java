package io.perdure.store.sqlite;

import io.perdure.core.store.rows.Projection;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
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
    private static final String INSERT = "INSERT INTO event (run, seq, at, until, event) VALUES (?, ?, ?, ?, ?)";

    private static final String PROJECT = """
            UPDATE run SET status = ?, version = ?, error = ?, completed_at = ?, retires_at = ?
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
        Projection projection = new Projection(run.status(), run.version());
        for (Draft draft : drafts) {
            Due until = draft.until();
            Instant fixed = until == null || until instanceof Due.Never ? null : until.fixedAt(now);
            Recorded event = new Recorded(run.last() + 1 + appended.size(), now, fixed, draft.event());
            appended.add(event);
            projection.apply(draft.event());
            session.update(
                    INSERT,
                    run.row(),
                    event.seq(),
                    now,
                    fixed,
                    EventJson.write(draft.event()).text());
        }
        if (projection.changed()) {
            project(run, projection);
        }
        return new Change(appended, projection.status(), projection.version(), projection.output(), projection.error());
    }

    private void project(RunFacts run, Projection projection) {
        boolean over = projection.status().isTerminal();
        Instant now = transaction.now();
        session.update(
                PROJECT,
                projection.status().word(),
                projection.version(),
                projection.error() == null ? null : projection.error().json().text(),
                over ? now : null,
                over ? now.plus(Duration.ofDays(run.retentionDays())) : null,
                run.tenant().value(),
                run.id().value());
        if (projection.status() != run.status()) {
            transaction.countRun(run.tenant(), run.workflow(), run.status(), -1);
            transaction.countRun(run.tenant(), run.workflow(), projection.status(), 1);
        }
    }
}
