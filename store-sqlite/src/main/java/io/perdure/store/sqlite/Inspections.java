package io.perdure.store.sqlite;

import io.perdure.core.store.Bounds;
import io.perdure.core.store.Inspect;
import io.perdure.core.store.Inspected;
import io.perdure.core.store.RunQuery.Cursor;
import io.perdure.core.store.Suspect;
import io.perdure.sdk.Limits;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Looks at runs, and finds those that something may be wrong with: first the places of some runs, then, of those that run, the
 * message and the newest event of each. Needs one snapshot.
 */
final class Inspections {
    private static final UUID FIRST_ID = new UUID(0, 0);

    static final String BY_START = """
            SELECT r.started_at, r.id, r.status FROM run r INDEXED BY run_by_start
            WHERE r.tenant = ?1 AND r.started_at >= ?2 AND (r.started_at, r.id) > (?2, ?3)
            ORDER BY r.started_at, r.id""";

    /** Skips from one to the next, however many messages each has. */
    static final String QUEUES = """
            WITH RECURSIVE queue (name) AS (
                SELECT min(queue) FROM run_message WHERE tenant = ?1
                UNION ALL
                SELECT (SELECT min(m.queue) FROM run_message m WHERE m.tenant = ?1 AND m.queue > q.name)
                FROM queue q WHERE q.name IS NOT NULL)
            SELECT name FROM queue WHERE name IS NOT NULL""";

    static final String LEASED = """
            SELECT m.ready_at, m.run FROM (
                SELECT run, ready_at, token, lease_nanos FROM run_message INDEXED BY run_message_by_ready
                WHERE tenant = ?2 AND queue = ?3 AND ready_at > ?1 ORDER BY ready_at, run LIMIT ?4) m
            WHERE\s""" + LeaseTimes.LEASED + " ORDER BY m.ready_at, m.run";

    static final ManyRows SUSPECTS = new ManyRows(2, """
            SELECT r.id, m.run IS NOT NULL, e.seq, e.at, e.until, e.event
            FROM run r INDEXED BY run_by_id
            LEFT JOIN run_message m ON m.run = r.id AND m.tenant = ?1
            LEFT JOIN event e ON e.row = (SELECT n.row FROM event n WHERE n.run = r.row ORDER BY n.seq DESC LIMIT 1)
            WHERE r.tenant = ?1 AND r.status = 'running' AND (m.run IS NULL OR e.until <= ?2) AND r.id IN (""", "?", ")");

    private final Session session;
    private final TenantId tenant;
    private final int examined;

    Inspections(Session session, TenantId tenant, Limits.Calls limits) {
        this.session = session;
        this.tenant = tenant;
        this.examined = limits.examinedRows();
    }

    /** A run that is looked at; by when its lease ends, or by when it started. */
    private record Seen(Instant at, RunId run, boolean running) {
        static final Comparator<Seen> ORDER = Comparator.comparing(Seen::at).thenComparing(Seen::run);

        static Seen started(Row row) throws SQLException {
            boolean running = RunFacts.status(row.text(3)) == RunStatus.RUNNING;
            return new Seen(row.time(1), new RunId(row.uuid(2)), running);
        }

        static Seen leased(Row row) throws SQLException {
            return new Seen(row.time(1), new RunId(row.uuid(2)), true);
        }
    }

    Inspected inspect(Inspect request, Instant now) {
        Instant passed = Bounds.ago(request.overdueBy(), now);
        return switch (request.scope()) {
            case LEASED -> new Inspected(suspects(leased(now, request.limit()), passed), null);
            case ALL -> {
                List<Seen> seen = started(request.after(), request.limit());
                Cursor next = seen.size() < request.limit()
                        ? null
                        : new Cursor(seen.getLast().at(), seen.getLast().run());
                yield new Inspected(suspects(seen, passed), next);
            }
        };
    }

    private List<Seen> started(@Nullable Cursor after, int limit) {
        // No run started before 1970.
        Object at = after == null ? -1L : after.at();
        UUID id = after == null ? FIRST_ID : after.run().value();
        return session.list(BY_START + Session.limit(limit), Seen::started, tenant.value(), at, id);
    }

    /** Of each queue a share of the messages that come due next: asleep and leased they lie in one order. */
    private List<Seen> leased(Instant now, int limit) {
        List<String> queues = session.list(QUEUES, row -> row.text(1), tenant.value());
        int share = Math.max(1, examined / Math.max(1, queues.size()));
        List<Seen> seen = new ArrayList<>();
        for (String queue : queues) {
            seen.addAll(session.list(LEASED + Session.limit(limit), Seen::leased, now, tenant.value(), queue, share));
        }
        return seen.stream().sorted(Seen.ORDER).limit(limit).toList();
    }

    private List<Suspect> suspects(List<Seen> seen, Instant passed) {
        List<UUID> running = seen.stream()
                .filter(Seen::running)
                .map(one -> one.run().value())
                .toList();
        Map<RunId, Suspect> found = new HashMap<>();
        SUSPECTS.each(
                List.of(tenant.value(), passed),
                running,
                (sql, values, _) -> session.list(sql, this::suspect, values).stream()
                        .flatMap(Optional::stream)
                        .forEach(suspect -> found.put(suspect.run(), suspect)));
        return seen.stream()
                .map(one -> found.get(one.run()))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Empty where its event cannot be read. */
    private Optional<Suspect> suspect(Row row) throws SQLException {
        RunId run = new RunId(row.uuid(1));
        try {
            Recorded last = row.textOrNull(6) == null
                    ? RunReads.created(new RunReads(session).run(tenant, run).orElseThrow())
                    : new Recorded(row.integer(3), row.time(4), row.timeOrNull(5), EventJson.read(row.json(6)));
            return Optional.of(new Suspect(run, last, row.small(2) == 1));
        } catch (UnreadableHistoryException e) {
            Suspect.logUnreadable(run, e);
            return Optional.empty();
        }
    }
}
