package io.perdure.store.postgres;

import io.perdure.core.store.RunPage;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunRow;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.store.postgres.Column.Absent;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lists runs. A page is read by a {@link Walk}: over the places of runs in the order asked for, newest first, until the page is
 * full or the walk has looked at as many rows as it may. Where it stops for that it leaves a mark, and the next page goes on
 * behind it. A walk of several groups, each in its order, has a mark for each that it broke off: what comes behind the first mark
 * may not be next, for the group that broke off there has more.
 */
final class RunLists {
    private static final String FEWEST = """
            SELECT t.name, t.value, n.runs FROM unnest(?::text[], ?::text[]) t (name, value) CROSS JOIN LATERAL (
                SELECT count(*) AS runs FROM (
                    SELECT 1 FROM perdure.run_tag g
                    WHERE g.tenant = ? AND g.name = t.name AND g.value = t.value LIMIT ?) f) n
            ORDER BY n.runs, t.name LIMIT 1""";

    private static final String IN_STATUS = """
            SELECT coalesce(sum(runs), 0)::bigint FROM perdure.run_counts_1(?)
            WHERE status = ? AND workflow = coalesce(?, workflow)""";

    private static final String OVERDUE = """
            SELECT run FROM perdure.run_message
            WHERE tenant = ? AND deadline IS NOT NULL AND deadline <= (SELECT perdure.clock_1()) - ?
            ORDER BY deadline, run LIMIT ?""";

    /** The first message of each queue: of each workflow it skips from queue to queue, of which there is one for each version. */
    private static final String DUE_SINCE = """
            SELECT s.workflow, min(m.ready_at)
            FROM (SELECT c.workflow FROM perdure.run_counts_1(?) c WHERE c.status = 'running') s
            CROSS JOIN LATERAL (
                WITH RECURSIVE queue (name) AS (
                    SELECT '__wf_' || s.workflow COLLATE "C"
                    UNION ALL
                    SELECT (SELECT m.queue FROM perdure.run_message m
                            WHERE m.queue > q.name AND m.queue >= '__wf_' || s.workflow || '@'
                              AND m.queue < '__wf_' || s.workflow || 'A' AND m.ready_at >= 0
                            ORDER BY m.queue LIMIT 1)
                    FROM queue q WHERE q.name IS NOT NULL)
                SELECT name FROM queue WHERE name IS NOT NULL) q
            CROSS JOIN LATERAL (
                SELECT m.ready_at FROM perdure.run_message m
                WHERE m.queue = q.name AND m.tenant = ? AND m.ready_at >= 0
                ORDER BY m.ready_at, m.run LIMIT 1) m
            WHERE m.ready_at <= (SELECT perdure.clock_1())
            GROUP BY s.workflow""";

    private final Session session;
    private final int examined;

    RunLists(Session session, Limits.Calls limits) {
        this.session = session;
        this.examined = limits.examinedRows();
    }

    /** What a page found: a run that was asked for, or one that was looked at last. */
    private record Found(RunRow run, RunQuery.Cursor place, boolean hit, boolean mark) {
        static Found of(Row row) throws SQLException {
            RunRow run = RunReads.row(row);
            return new Found(run, new RunQuery.Cursor(row.time(21), run.id()), row.flag(22), row.flag(23));
        }
    }

    RunPage runs(RunQuery query) throws SQLException {
        if (query.order() == RunQuery.Order.COMPLETED
                && query.status() != null
                && !query.status().isTerminal()) {
            return new RunPage(List.of(), null);
        }
        Walk walk = walk(query);
        List<Object> values = new ArrayList<>(walk.values());
        values.add(query.limit() + 1);
        values.add(query.tenant().value());
        return page(session.list(pageOf(walk), Found::of, values.toArray()), query.limit());
    }

    private static String pageOf(Walk walk) {
        return """
                SELECT r.*, p.at, p.hit, p.mark FROM (
                    SELECT w.run, w.at, w.hit, w.mark FROM (%s) w
                    WHERE w.hit OR w.mark ORDER BY w.at DESC, w.run DESC LIMIT ?) p
                CROSS JOIN LATERAL (%sWHERE id = p.run AND tenant = ? LIMIT 1) r
                ORDER BY p.at DESC, p.run DESC""".formatted(walk.sql(), RunReads.COLUMNS);
    }

    private static RunPage page(List<Found> found, int limit) {
        List<RunRow> runs = new ArrayList<>();
        RunQuery.Cursor last = null;
        for (Found one : found) {
            if (one.hit() && runs.size() == limit) {
                return new RunPage(runs, last);
            }
            if (one.hit()) {
                runs.add(one.run());
                last = one.place();
            }
            if (one.mark()) {
                return new RunPage(runs, one.place());
            }
        }
        return new RunPage(runs, null);
    }

    private Walk walk(RunQuery query) throws SQLException {
        if (!query.tags().isEmpty()) {
            return tagged(query);
        }
        if (query.order() == RunQuery.Order.COMPLETED) {
            return Walk.atRest(query, examined);
        }
        return switch (query.status()) {
            case null -> Walk.byStart(query, examined);
            case PARKED -> Walk.atRest(query, examined);
            case RUNNING, COMPLETED, FAILED, CANCELLED ->
                isRare(query, query.status()) ? Walk.rare(query, query.status()) : Walk.byStart(query, examined);
        };
    }

    /** So few that it takes less to read and sort them all than to look for them among the others. */
    private boolean isRare(RunQuery query, RunStatus status) throws SQLException {
        Object workflow = Absent.TEXT.unless(Walk.nameOf(query.workflow()));
        return session.number(IN_STATUS, query.tenant().value(), status.word(), workflow) <= examined;
    }

    /** By the tag that the fewest runs have, as far as a look at a share of them tells. */
    private Walk tagged(RunQuery query) throws SQLException {
        String[] names = query.tags().keySet().toArray(String[]::new);
        String[] values = query.tags().values().toArray(String[]::new);
        int share = Math.max(1, examined / names.length);
        return session.first(
                        FEWEST,
                        row -> {
                            Walk.Tag tag = new Walk.Tag(row.text(1), row.text(2));
                            boolean rare = row.integer(3) < share;
                            return switch (query.order()) {
                                case STARTED -> Walk.tagged(query, tag, examined);
                                case COMPLETED -> rare ? Walk.endedAndTagged(query, tag) : Walk.atRest(query, examined);
                            };
                        },
                        names,
                        values,
                        query.tenant().value(),
                        share)
                .orElseThrow();
    }

    Map<WorkflowName, Instant> dueSince(TenantId tenant) throws SQLException {
        Map<WorkflowName, Instant> since = new HashMap<>();
        session.list(
                DUE_SINCE,
                row -> since.put(new WorkflowName(row.text(1)), row.time(2)) == null,
                tenant.value(),
                tenant.value());
        return since;
    }

    List<RunId> overdue(TenantId tenant, long micros, int limit) throws SQLException {
        return session.list(OVERDUE, row -> new RunId(row.uuid(1)), tenant.value(), micros, limit);
    }
}
