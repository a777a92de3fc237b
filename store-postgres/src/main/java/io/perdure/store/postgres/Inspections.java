package io.perdure.store.postgres;

import io.perdure.core.store.Inspect;
import io.perdure.core.store.Inspected;
import io.perdure.core.store.RunQuery.Cursor;
import io.perdure.core.store.Suspect;
import io.perdure.sdk.Limits;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at runs, and finds those that something may be wrong with: first the places of some runs, then, of those that run, the
 * message and the newest event of each. Needs one snapshot.
 */
final class Inspections {
    private static final UUID FIRST_ID = new UUID(0, 0);

    private static final String BY_START = """
            SELECT id, started_at, status = 'running' FROM perdure.run
            WHERE tenant = ? AND retention_days >= 0 AND (started_at, id) > (?, ?)
            ORDER BY started_at, id LIMIT ?""";

    /**
     * Skips from queue to queue of the workflows that the tenant has runs of, as the list of runs does. Of each it looks at a share of
     * the messages that come due next: asleep and leased they lie in one order.
     */
    private static final String LEASED = """
            WITH share AS MATERIALIZED (
                SELECT q.name, greatest(1, ? / count(*) OVER ()) AS most
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
                    SELECT name FROM queue WHERE name IS NOT NULL) q)
            SELECT m.run, m.ready_at,
                   (SELECT r.status = 'running' FROM perdure.run r WHERE r.id = m.run AND r.tenant = ? LIMIT 1)
            FROM (SELECT perdure.clock_1() AS now OFFSET 0) c CROSS JOIN share q CROSS JOIN LATERAL (
                SELECT m.run, m.ready_at, m.token FROM perdure.run_message m
                WHERE m.queue = q.name AND m.tenant = ? AND m.ready_at >= 0 AND m.ready_at > c.now
                ORDER BY m.ready_at, m.run LIMIT q.most) m
            WHERE m.token IS NOT NULL
            ORDER BY m.ready_at, m.run LIMIT ?""";

    private static final String SUSPECTS = """
            SELECT e.seq, e.at, e.until, e.event, r.id, m.here IS NOT NULL
            FROM (SELECT greatest(0, perdure.clock_1() - ?) AS passed OFFSET 0) c CROSS JOIN unnest(?::uuid[]) r (id)
            LEFT JOIN LATERAL (
                SELECT true AS here FROM perdure.run_message WHERE run = r.id AND tenant = ? LIMIT 1) m ON true
            LEFT JOIN LATERAL (
                SELECT seq, at, until, event FROM perdure.event
                WHERE run = r.id AND tenant = ? ORDER BY seq DESC LIMIT 1) e ON true
            WHERE m.here IS NULL OR e.until <= c.passed""";

    private final Session session;
    private final TenantId tenant;
    private final int examined;

    Inspections(Session session, TenantId tenant, Limits.Calls limits) {
        this.session = session;
        this.tenant = tenant;
        this.examined = limits.examinedRows();
    }

    /** A run that is looked at; by when its lease ends, or by when it started. */
    private record Seen(RunId run, Cursor place, boolean running) {
        static Seen of(Row row) throws SQLException {
            RunId run = new RunId(row.uuid(1));
            return new Seen(run, new Cursor(row.time(2), run), row.flag(3));
        }
    }

    Inspected inspect(Inspect request) throws SQLException {
        return switch (request.scope()) {
            case LEASED -> new Inspected(suspects(leased(request.limit()), request.overdueBy()), null);
            case ALL -> {
                List<Seen> seen = started(request.after(), request.limit());
                Cursor next =
                        seen.size() < request.limit() ? null : seen.getLast().place();
                yield new Inspected(suspects(seen, request.overdueBy()), next);
            }
        };
    }

    private List<Seen> started(@Nullable Cursor after, int limit) throws SQLException {
        // No run started before 1970.
        Object at = after == null ? -1L : after.at();
        UUID id = after == null ? FIRST_ID : after.run().value();
        return session.list(BY_START, Seen::of, tenant.value(), at, id, limit);
    }

    private List<Seen> leased(int limit) throws SQLException {
        String name = tenant.value();
        return session.list(LEASED, Seen::of, examined, name, name, name, limit);
    }

    /** A run that something may be wrong with; without an event where nothing was appended, or where it cannot be read. */
    private record Found(RunId run, @Nullable Recorded last, boolean hasMessage, boolean readable) {
        static Found of(Row row) throws SQLException {
            RunId run = new RunId(row.uuid(5));
            boolean hasMessage = row.flag(6);
            try {
                Recorded last = row.textOrNull(4) == null ? null : RunReads.recorded(row);
                return new Found(run, last, hasMessage, true);
            } catch (UnreadableHistoryException e) {
                Suspect.logUnreadable(run, e);
                return new Found(run, null, hasMessage, false);
            }
        }
    }

    private List<Suspect> suspects(List<Seen> seen, Duration overdueBy) throws SQLException {
        UUID[] running = ids(seen.stream().filter(Seen::running).map(Seen::run));
        List<Found> found = session
                .list(SUSPECTS, Found::of, Documents.micros(overdueBy), running, tenant.value(), tenant.value())
                .stream()
                .filter(Found::readable)
                .toList();
        UUID[] bare = ids(found.stream().filter(one -> one.last() == null).map(Found::run));
        Map<RunId, Recorded> created = bare.length == 0 ? Map.of() : new RunReads(session).created(tenant, bare);
        Map<RunId, Suspect> suspects = new HashMap<>();
        for (Found one : found) {
            Recorded last = one.last() == null ? created.get(one.run()) : one.last();
            suspects.put(one.run(), new Suspect(one.run(), Objects.requireNonNull(last), one.hasMessage()));
        }
        return seen.stream()
                .map(one -> suspects.get(one.run()))
                .filter(Objects::nonNull)
                .toList();
    }

    private static UUID[] ids(Stream<RunId> runs) {
        return runs.map(RunId::value).toArray(UUID[]::new);
    }
}
