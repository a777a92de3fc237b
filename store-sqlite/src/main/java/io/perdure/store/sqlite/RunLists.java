package io.perdure.store.sqlite;

import io.perdure.core.store.RunPage;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunQuery.Cursor;
import io.perdure.core.store.RunQuery.Order;
import io.perdure.core.store.RunRow;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lists runs. A page is plaited of {@link Strand}s, mostly of one: each tells the first runs that were asked for, and where it
 * broke off because it had looked at as many rows as it may. Behind the first such place another strand's run may not be next,
 * so the page ends there, and the next one goes on from it. Needs one snapshot.
 */
final class RunLists {
    private static final ManyRows ROWS = new ManyRows(0, RunReads.COLUMNS + "WHERE row IN (", "?", ")");

    static final String OVERDUE = """
            SELECT id FROM run INDEXED BY run_by_deadline
            WHERE tenant = ? AND status = 'running' AND deadline IS NOT NULL AND deadline <= ? ORDER BY deadline, id""";

    /** The first of each queue, from which it skips to the next: a queue is passed over, however many messages it has. */
    static final String FIRST_READY = """
            WITH RECURSIVE queue (name) AS (
                SELECT min(queue) FROM run_message WHERE tenant = ?1
                UNION ALL
                SELECT (SELECT min(m.queue) FROM run_message m WHERE m.tenant = ?1 AND m.queue > q.name)
                FROM queue q WHERE q.name IS NOT NULL)
            SELECT q.name, (SELECT min(m.ready_at) FROM run_message m WHERE m.tenant = ?1 AND m.queue = q.name)
            FROM queue q WHERE q.name IS NOT NULL""";

    private static final String IN_STATUS = """
            SELECT coalesce(sum(runs), 0) FROM run_count
            WHERE tenant = ?1 AND status = ?2 AND (?3 IS NULL OR workflow = ?3)""";

    private static final String TAGGED =
            "SELECT count(*) FROM (SELECT 1 FROM run_tag WHERE tenant = ? AND name = ? AND value = ?";

    private final Session session;
    private final int examined;

    RunLists(Session session, Limits.Calls limits) {
        this.session = session;
        this.examined = limits.examinedRows();
    }

    private static final Comparator<Cursor> NEWEST_FIRST =
            Comparator.comparing(Cursor::at).thenComparing(Cursor::run).reversed();

    /** The place of a run, and its row. */
    private record Place(long row, Cursor at) {
        static Place of(Row row) throws SQLException {
            return new Place(row.integer(1), new Cursor(row.time(2), new RunId(row.uuid(3))));
        }
    }

    /** Some runs of one workflow and status. */
    private record Group(WorkflowName workflow, RunStatus status) {}

    static Map<WorkflowName, Instant> dueSince(Session session, TenantId tenant, Instant now) {
        Map<WorkflowName, Instant> since = new HashMap<>();
        session.list(FIRST_READY, First::of, tenant.value()).forEach(first -> {
            if (!first.readyAt.isAfter(now)) {
                since.merge(first.workflow, first.readyAt, (one, two) -> one.isBefore(two) ? one : two);
            }
        });
        return since;
    }

    /** When the first message of a queue of runs is or becomes ready. */
    private record First(WorkflowName workflow, Instant readyAt) {
        static First of(Row row) throws SQLException {
            return new First(new QueueName(row.text(1)).workflow().orElseThrow(), row.time(2));
        }
    }

    static List<RunId> overdue(Session session, TenantId tenant, Instant passed, int limit) {
        return session.list(OVERDUE + Session.limit(limit), row -> new RunId(row.uuid(1)), tenant.value(), passed);
    }

    RunPage runs(RunQuery query) {
        List<Place> found = new ArrayList<>();
        List<Cursor> brokenOff = new ArrayList<>();
        for (Strand strand : strands(query)) {
            @Nullable Object[] values = strand.values().toArray();
            List<Place> more = session.list(strand.found(query.limit() + 1), Place::of, values);
            found.addAll(more);
            if (more.size() <= query.limit() && strand.most() < Strand.WHOLE) {
                session.first(strand.last(), Place::of, values).ifPresent(last -> brokenOff.add(last.at));
            }
        }
        found.sort(Comparator.comparing(Place::at, NEWEST_FIRST));
        return page(found, brokenOff.stream().min(NEWEST_FIRST), query.limit());
    }

    private RunPage page(List<Place> found, Optional<Cursor> brokenOff, int limit) {
        List<Place> sure = found.stream()
                .filter(place -> brokenOff.isEmpty() || !brokenOff.get().isBefore(place.at))
                .toList();
        List<Place> page = sure.subList(0, Math.min(limit, sure.size()));
        Cursor next = sure.size() > limit ? page.getLast().at : brokenOff.orElse(null);
        return new RunPage(rows(page), next);
    }

    private List<RunRow> rows(List<Place> places) {
        Map<RunId, RunRow> rows = new HashMap<>();
        ROWS.each(
                List.of(),
                places.stream().map(Place::row).toList(),
                (sql, values, _) -> session.list(sql, RunReads::row, values).forEach(row -> rows.put(row.id(), row)));
        return places.stream()
                .map(place -> Objects.requireNonNull(rows.get(place.at.run())))
                .toList();
    }

    private List<Strand> strands(RunQuery query) {
        RunStatus status = query.status();
        boolean byEnd = query.order() == Order.COMPLETED;
        if (byEnd && status != null && !status.isTerminal()) {
            return List.of();
        }
        if (!query.tags().isEmpty()) {
            return tagged(query);
        }
        if (byEnd) {
            return grouped(Strand.BY_END, query, examined);
        }
        return switch (status) {
            case null -> byStart(query);
            case RUNNING ->
                // Of all workflows: their messages are not told apart.
                inStatus(query.tenant(), status, null) <= examined
                        ? List.of(Strand.of(Strand.RUNNING, query, Strand.WHOLE))
                        : byStart(query);
            case PARKED -> grouped(Strand.PARKED, query, examined);
            case COMPLETED, FAILED, CANCELLED ->
                inStatus(query.tenant(), status, query.workflow()) <= examined
                        ? grouped(Strand.ENDED_BY_START, query, Strand.WHOLE)
                        : byStart(query);
        };
    }

    private List<Strand> byStart(RunQuery query) {
        return List.of(Strand.of(query.workflow() == null ? Strand.BY_START : Strand.BY_WORKFLOW, query, examined));
    }

    /** By the tag that the fewest runs have, as far as a look at a share of them tells. */
    private List<Strand> tagged(RunQuery query) {
        int share = Math.max(1, examined / query.tags().size());
        Map<Map.Entry<String, String>, Long> counts = new LinkedHashMap<>();
        query.tags().entrySet().forEach(tag -> counts.put(tag, runsWith(query.tenant(), tag, share)));
        Map.Entry<Map.Entry<String, String>, Long> fewest =
                counts.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
        if (query.order() == Order.STARTED) {
            return List.of(Strand.of(Strand.TAGGED, query, examined).by(fewest.getKey()));
        }
        return fewest.getValue() < share
                ? List.of(Strand.of(Strand.TAGGED_BY_END, query, Strand.WHOLE).by(fewest.getKey()))
                : grouped(Strand.BY_END, query, examined);
    }

    private long runsWith(TenantId tenant, Map.Entry<String, String> tag, int most) {
        return session.number(TAGGED + Session.limit(most) + ")", tenant.value(), tag.getKey(), tag.getValue());
    }

    private long inStatus(TenantId tenant, RunStatus status, @Nullable WorkflowName workflow) {
        return session.number(IN_STATUS, tenant.value(), status.word(), workflow == null ? null : workflow.value());
    }

    /** A strand for each workflow and status that runs are in and were asked for; each may look at its share of the rows. */
    private List<Strand> grouped(String walk, RunQuery query, int most) {
        List<Group> groups = new RunReads(session)
                .counts(query.tenant()).stream()
                        .filter(count ->
                                query.workflow() == null || query.workflow().equals(count.workflow()))
                        .filter(count ->
                                query.status() == null ? count.status().isTerminal() : query.status() == count.status())
                        .map(count -> new Group(count.workflow(), count.status()))
                        .toList();
        int share = most == Strand.WHOLE ? most : Math.max(1, most / Math.max(1, groups.size()));
        return groups.stream()
                .map(group -> Strand.of(walk, query, group.workflow(), group.status(), share))
                .toList();
    }
}
