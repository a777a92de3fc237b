package io.perdure.store.postgres;

import io.perdure.core.store.RunQuery;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.store.postgres.Column.Absent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A way to come by runs in the order of a {@link RunQuery}: a query for the place of each, whether it was asked for, and whether
 * the walk may break off there. Each is the walk of an index, and reads no more rows than it may.
 *
 * @param values what is bound to it
 */
record Walk(String sql, List<Object> values) {
    /** Of a run r, whether it was asked for. */
    private static final String ASKED = """
            r.workflow = coalesce(?, r.workflow) AND r.status = coalesce(?, r.status)
            AND coalesce(r.tags, '{}')::jsonb @> coalesce(?, '{}')::jsonb""";

    private static final String BY_START = """
            SELECT r.id AS run, r.started_at AS at, %s AS hit,
                   row_number() OVER (ORDER BY r.started_at DESC, r.id DESC) = ? AS mark
            FROM perdure.run r
            WHERE r.tenant = ? AND r.retention_days >= 0 AND r.started_at >= ? AND (r.started_at, r.id) < (?, ?)
            ORDER BY r.started_at DESC, r.id DESC LIMIT ?""".formatted(ASKED);

    private static final String BY_WORKFLOW = """
            SELECT r.id AS run, r.started_at AS at, %s AS hit,
                   row_number() OVER (ORDER BY r.started_at DESC, r.id DESC) = ? AS mark
            FROM perdure.run r
            WHERE r.tenant = ? AND r.workflow = ? AND r.started_at >= 0
              AND r.started_at >= ? AND (r.started_at, r.id) < (?, ?)
            ORDER BY r.started_at DESC, r.id DESC LIMIT ?""".formatted(ASKED);

    private static final String TAGGED = """
            SELECT t.run, t.started_at AS at,
                   (SELECT %s FROM perdure.run r WHERE r.id = t.run AND r.tenant = t.tenant LIMIT 1) AS hit,
                   row_number() OVER (ORDER BY t.started_at DESC, t.run DESC) = ? AS mark
            FROM perdure.run_tag t
            WHERE t.tenant = ? AND t.name = ? AND t.value = ?
              AND t.started_at >= ? AND (t.started_at, t.run) < (?, ?)
            ORDER BY t.started_at DESC, t.run DESC LIMIT ?""".formatted(ASKED);

    /** Those of a tag that few runs have, all of them. */
    private static final String ENDED_AND_TAGGED = """
            SELECT r.id AS run, r.completed_at AS at, %s AS hit, false AS mark
            FROM perdure.run_tag t CROSS JOIN LATERAL (
                SELECT * FROM perdure.run WHERE id = t.run AND tenant = t.tenant LIMIT 1) r
            WHERE t.tenant = ? AND t.name = ? AND t.value = ?
              AND r.completed_at >= ? AND (r.completed_at, r.id) < (?, ?)""".formatted(ASKED);

    /** The statuses and workflows that runs are in, and how many of each may be looked at. */
    private static final String GROUPS = """
            (SELECT c.workflow, c.status, greatest(1, least(?, ? / count(*) OVER ())) AS most
             FROM perdure.run_counts_1(?) c
             WHERE c.status = ANY (?) AND c.workflow = coalesce(?, c.workflow)) s""";

    private static final String AT_REST = """
            SELECT g.run, g.at, %s AS hit, g.nth = s.most AS mark
            FROM %s CROSS JOIN LATERAL (
                SELECT a.run, a.at, row_number() OVER (ORDER BY a.at DESC, a.run DESC) AS nth
                FROM perdure.run_at_rest a
                WHERE a.tenant = ? AND a.workflow = s.workflow AND a.status = s.status
                  AND a.at >= ? AND (a.at, a.run) < (?, ?)
                ORDER BY a.at DESC, a.run DESC LIMIT s.most) g""";

    private static final String ALL_AT_REST = AT_REST.formatted("true", GROUPS);

    private static final String TAGGED_AT_REST = AT_REST.formatted("""
            (SELECT r.tags::jsonb @> ?::jsonb FROM perdure.run r WHERE r.id = g.run AND r.tenant = ? LIMIT 1)""", GROUPS);

    /**
     * Those that run, where they are few. Of each workflow it skips from queue to queue, of which there is one for each version,
     * and from there to the messages of the tenant. An index of their own in this order would cost every run's start an
     * entry; by the best of four rounds 3 microseconds of the server, of 52, on a busy machine whose rounds lay further apart than that.
     */
    private static final String RUNNING = """
            SELECT r.id AS run, r.started_at AS at, true AS hit, false AS mark
            FROM %s CROSS JOIN LATERAL (
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
                SELECT m.run FROM perdure.run_message m
                WHERE m.queue = q.name AND m.tenant = ? AND m.ready_at >= 0) m
            CROSS JOIN LATERAL (SELECT * FROM perdure.run WHERE id = m.run AND tenant = ? LIMIT 1) r
            WHERE r.started_at >= ? AND (r.started_at, r.id) < (?, ?)""".formatted(GROUPS);

    /** Those of a status that few runs are in, all of them, in another order than they are kept in. */
    private static final String RARE = """
            SELECT r.id AS run, r.started_at AS at, true AS hit, false AS mark
            FROM %s CROSS JOIN LATERAL (
                SELECT a.run FROM perdure.run_at_rest a
                WHERE a.tenant = ? AND a.workflow = s.workflow AND a.status = s.status) a
            CROSS JOIN LATERAL (SELECT * FROM perdure.run WHERE id = a.run AND tenant = ? LIMIT 1) r
            WHERE r.started_at >= ? AND (r.started_at, r.id) < (?, ?)""".formatted(GROUPS);

    /** A tag that runs are looked for by. */
    record Tag(String name, String value) {}

    /** By when they started, of one workflow or of all. */
    static Walk byStart(RunQuery query, int examined) {
        WorkflowName workflow = query.workflow();
        Values values = new Values(query).asked().add(examined).tenant();
        if (workflow == null) {
            return new Walk(BY_START, values.places().add(examined).list());
        }
        return new Walk(
                BY_WORKFLOW, values.add(workflow.value()).places().add(examined).list());
    }

    /** By when they started, of those with a tag. */
    static Walk tagged(RunQuery query, Tag tag, int examined) {
        return new Walk(
                TAGGED,
                new Values(query)
                        .asked()
                        .add(examined)
                        .tenant()
                        .add(tag.name())
                        .add(tag.value())
                        .places()
                        .add(examined)
                        .list());
    }

    /** By when they ended, of those with a tag that few have. */
    static Walk endedAndTagged(RunQuery query, Tag tag) {
        return new Walk(
                ENDED_AND_TAGGED,
                new Values(query)
                        .asked()
                        .tenant()
                        .add(tag.name())
                        .add(tag.value())
                        .places()
                        .list());
    }

    /** By when they ended; or by when they started, of those that are parked. */
    static Walk atRest(RunQuery query, int examined) {
        RunStatus status = query.status();
        String[] statuses = status == null
                ? Arrays.stream(RunStatus.values())
                        .filter(RunStatus::isTerminal)
                        .map(RunStatus::word)
                        .toArray(String[]::new)
                : new String[] {status.word()};
        if (query.tags().isEmpty()) {
            Values values = new Values(query).groups(query.limit() + 1, examined, statuses);
            return new Walk(ALL_AT_REST, values.tenant().places().list());
        }
        Values values = new Values(query)
                .tags()
                .tenant()
                .groups(examined, examined, statuses)
                .tenant();
        return new Walk(TAGGED_AT_REST, values.places().list());
    }

    /** By when they started, of those in a status that few runs are in; not of those that are parked. */
    static Walk rare(RunQuery query, RunStatus status) {
        Values values = new Values(query).groups(1, 1, status.word());
        return new Walk(
                status == RunStatus.RUNNING ? RUNNING : RARE,
                values.tenant().tenant().places().list());
    }

    static @Nullable String nameOf(@Nullable WorkflowName workflow) {
        return workflow == null ? null : workflow.value();
    }

    /** Gathers the values of a statement, in the order in which it names them. */
    private static final class Values {
        private final RunQuery query;
        private final List<Object> values = new ArrayList<>();

        Values(RunQuery query) {
            this.query = query;
        }

        Values add(Object... more) {
            Stream.of(more).forEach(values::add);
            return this;
        }

        Values tenant() {
            return add(query.tenant().value());
        }

        Values tags() {
            return add(Absent.TEXT.unless(Texts.of(query.tags())));
        }

        Values asked() {
            RunStatus status = query.status();
            return add(
                            Absent.TEXT.unless(nameOf(query.workflow())),
                            Absent.TEXT.unless(status == null ? null : status.word()))
                    .tags();
        }

        Values places() {
            RunQuery.Cursor behind = query.behind();
            return add(query.back(), behind.at(), behind.run().value());
        }

        Values groups(int most, int examined, String... statuses) {
            values.add(most);
            values.add(examined);
            tenant();
            values.add(statuses);
            return add(Absent.TEXT.unless(nameOf(query.workflow())));
        }

        List<Object> list() {
            return values;
        }
    }
}
