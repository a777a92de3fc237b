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

    private static final String LAST_AT = """
            SELECT coalesce((SELECT at FROM event WHERE run = r.row ORDER BY seq DESC LIMIT 1), r.started_at)
            FROM run r WHERE r.row = ?""";

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

    /** The time of what is appended to a run now: what the clock reads, or the last event's time if that is later. */
    static Instant timeOfNext(Transaction transaction, long row) {
        Instant now = transaction.now();
        if (!transaction.isBeforeEarlierWrites()) {
            return now;
        }
        return transaction
                .session
                .first(LAST_AT, last -> last.time(1), row)
                .filter(now::isBefore)
                .orElse(now);
    }

    Change append(RunFacts run, List<Draft> drafts) {
        Instant now = transaction.now();
        Instant at = timeOfNext(transaction, run.row());
        List<Recorded> appended = new ArrayList<>();
        Projection projection = new Projection(run.status(), run.version());
        for (Draft draft : drafts) {
            Due until = draft.until();
            Instant fixed = until == null || until instanceof Due.Never ? null : until.fixedAt(now);
            Recorded event = new Recorded(run.last() + 1 + appended.size(), at, fixed, draft.event());
            appended.add(event);
            projection.apply(draft.event());
            session.update(
                    INSERT,
                    run.row(),
                    event.seq(),
                    at,
                    fixed,
                    EventJson.write(draft.event()).text());
        }
        if (projection.changed()) {
            project(run, projection, at);
        }
        return new Change(appended, projection.status(), projection.version(), projection.output(), projection.error());
    }

    private void project(RunFacts run, Projection projection, Instant at) {
        boolean over = projection.status().isTerminal();
        session.update(
                PROJECT,
                projection.status().word(),
                projection.version(),
                projection.error() == null ? null : projection.error().json().text(),
                over ? at : null,
                over ? at.plus(Duration.ofDays(run.retentionDays())) : null,
                run.tenant().value(),
                run.id().value());
        if (projection.status() != run.status()) {
            transaction.countRun(run.tenant(), run.workflow(), run.status(), -1);
            transaction.countRun(run.tenant(), run.workflow(), projection.status(), 1);
        }
    }
}
