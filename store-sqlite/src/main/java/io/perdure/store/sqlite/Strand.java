package io.perdure.store.sqlite;

import io.perdure.core.store.RunQuery;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.WorkflowName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A way to come by runs in the order of a {@link RunQuery}: the walk of an index over some of them. It looks at no more than so
 * many.
 *
 * @param walk which rows it looks at, and in which order
 * @param values what is bound: tenant, times and place, then workflow, status and tags that are asked for, then the tag, if it
 *     goes by one
 * @param most how many rows it looks at
 */
record Strand(String walk, List<@Nullable Object> values, int most) {
    private static final String RUN = "SELECT r.row, r.%s AS at, r.id, r.workflow, r.status, r.tags FROM run r ";

    private static final String PLACES =
            " AND r.%1$s >= ?2 AND (r.%1$s, r.id) < (?3, ?4) ORDER BY r.%1$s DESC, r.id DESC";

    private static final String STARTED = RUN.formatted("started_at");
    private static final String IN_ORDER_OF_START = PLACES.formatted("started_at");
    private static final String ENDED = RUN.formatted("completed_at");
    private static final String IN_ORDER_OF_END = PLACES.formatted("completed_at");

    static final String BY_START = STARTED + "INDEXED BY run_by_start WHERE r.tenant = ?1" + IN_ORDER_OF_START;

    static final String BY_WORKFLOW =
            STARTED + "INDEXED BY run_by_workflow WHERE r.tenant = ?1 AND r.workflow = ?5" + IN_ORDER_OF_START;

    static final String PARKED = STARTED
            + "INDEXED BY run_parked WHERE r.tenant = ?1 AND r.workflow = ?5 AND r.status = 'parked'"
            + IN_ORDER_OF_START;

    static final String BY_END =
            ENDED + "INDEXED BY run_by_end WHERE r.tenant = ?1 AND r.workflow = ?5 AND r.status = ?6" + IN_ORDER_OF_END;

    /** Those that ended, in another order than that of their index: for few. */
    static final String ENDED_BY_START = STARTED + """
            INDEXED BY run_by_end
            WHERE r.tenant = ?1 AND r.workflow = ?5 AND r.status = ?6 AND r.completed_at IS NOT NULL""" + IN_ORDER_OF_START;

    /** Those that run, in another order than that of their messages: for few. */
    static final String RUNNING = """
            SELECT r.row, r.started_at AS at, r.id, r.workflow, r.status, r.tags
            FROM run_message m INDEXED BY run_message_by_ready CROSS JOIN run r INDEXED BY run_by_id
            WHERE m.tenant = ?1 AND r.id = m.run AND r.tenant = ?1""" + IN_ORDER_OF_START;

    static final String TAGGED = """
            SELECT r.row, t.started_at AS at, r.id, r.workflow, r.status, r.tags
            FROM run_tag t CROSS JOIN run r INDEXED BY run_by_id
            WHERE t.tenant = ?1 AND t.name = ?8 AND t.value = ?9 AND r.id = t.run AND r.tenant = ?1
              AND t.started_at >= ?2 AND (t.started_at, t.run) < (?3, ?4)
            ORDER BY t.started_at DESC, t.run DESC""";

    /** Those of a tag that ended, in another order than that of the tag: for few. */
    static final String TAGGED_BY_END = """
            SELECT r.row, r.completed_at AS at, r.id, r.workflow, r.status, r.tags
            FROM run_tag t CROSS JOIN run r INDEXED BY run_by_id
            WHERE t.tenant = ?1 AND t.name = ?8 AND t.value = ?9 AND r.id = t.run AND r.tenant = ?1""" + IN_ORDER_OF_END;

    /** All of those that are known to be few. */
    static final int WHOLE = Integer.MAX_VALUE;

    static Strand of(String walk, RunQuery query, int most) {
        return of(walk, query, query.workflow(), query.status(), most);
    }

    /** Of the runs of one workflow and status only. */
    static Strand of(
            String walk, RunQuery query, @Nullable WorkflowName workflow, @Nullable RunStatus status, int most) {
        RunQuery.Cursor behind = query.behind();
        List<@Nullable Object> values = new ArrayList<>();
        values.add(query.tenant().value());
        values.add(query.back());
        values.add(behind.at());
        values.add(behind.run().value());
        values.add(workflow == null ? null : workflow.value());
        values.add(status == null ? null : status.word());
        values.add(Texts.of(query.tags()));
        return new Strand(walk, values, most);
    }

    /** The same by a tag. */
    Strand by(Map.Entry<String, String> tag) {
        List<@Nullable Object> more = new ArrayList<>(values);
        more.add(tag.getKey());
        more.add(tag.getValue());
        return new Strand(walk, more, most);
    }

    /** The first runs that were asked for. The subquery has a limit, so its order is kept, and no more of it is read than is taken. */
    String found(int limit) {
        return """
                SELECT w.row, w.at, w.id FROM (%s LIMIT %s) w
                WHERE (?5 IS NULL OR w.workflow = ?5) AND (?6 IS NULL OR w.status = ?6)
                  AND (?7 IS NULL OR NOT EXISTS (
                      SELECT 1 FROM json_each(?7) q WHERE NOT EXISTS (
                          SELECT 1 FROM json_each(w.tags) h WHERE h.key = q.key AND h.value = q.value)))
                LIMIT %s""".formatted(walk, most, limit);
    }

    /**
     * The run that it looks at last, if there are as many as it may look at. Names the last of the values that are bound, so that
     * there is a place for each.
     */
    String last() {
        return "SELECT w.row, w.at, w.id FROM (%s LIMIT 1 OFFSET %s) w WHERE ?7 IS ?7".formatted(walk, most - 1);
    }
}
