package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Inspect;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunQuery.Order;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whatever a list of runs is asked for, and whether there is much of it, little or nothing among a hundred thousand runs: a page
 * reads no more rows than it may. The server itself counts, without statistics about the tables and with them.
 */
final class ListPlansTest {
    private static final String SCHEMA = "lists";
    private static final TenantId TENANT = new TenantId("acme");
    private static final Limits.Calls CALLS = Limits.defaults().calls().examining(100);

    /** A walk reads a row, what it leads to, and a look at how many there are. */
    private static final long MOST_ROWS = 5 * 100;

    private static final String RUNS = """
            INSERT INTO lists.run (tenant, id, workflow, status, input, tags, retention_days, started_at, completed_at)
            SELECT 'acme', lpad(to_hex(n), 32, '0')::uuid, CASE WHEN n % 3 = 0 THEN 'billing' ELSE 'onboard' END,
                   CASE WHEN n % 10000 = 0 THEN 'cancelled' WHEN n % 500 = 0 THEN 'failed' WHEN n % 500 = 1 THEN 'parked'
                        WHEN n % 100 = 2 THEN 'running' ELSE 'completed' END, '{}',
                   CASE WHEN n % 5000 = 0 THEN '{"team":"a","rare":"yes"}' WHEN n % 2 = 0 THEN '{"team":"a"}' END, 30, n,
                   CASE WHEN n % 500 <> 1 AND n % 100 <> 2 THEN n + 10 END
            FROM generate_series(1, 100000) n;
            INSERT INTO lists.run_at_rest (tenant, workflow, status, at, run, retires_at)
            SELECT tenant, workflow, status, coalesce(completed_at, started_at), id, completed_at + 9e15
            FROM lists.run WHERE status <> 'running';
            INSERT INTO lists.run_message (tenant, run, deadline, queue, ready_at)
            SELECT tenant, id, started_at + 5, '__wf_' || workflow || '@1', started_at
            FROM lists.run WHERE status = 'running';
            INSERT INTO lists.run_tag (tenant, name, value, started_at, run)
            SELECT r.tenant, t.key, t.value, r.started_at, r.id FROM lists.run r, jsonb_each_text(r.tags::jsonb) t;
            INSERT INTO lists.run_count (tenant, workflow, status, lane, runs)
            SELECT tenant, workflow, status, 1, count(*) FROM lists.run GROUP BY tenant, workflow, status""";

    /** One of the first runs has a long history, and all that run of one workflow are leased. */
    private static final String LEASED = """
            INSERT INTO lists.event (tenant, run, seq, at, until, event)
            SELECT 'acme', id, n, 1, 0, '{"type":"StepStarted","v":1,"step":"pay","attempt":1}' FROM lists.run, generate_series(1, 10000) n WHERE started_at = 2;
            UPDATE lists.run_message SET token = gen_random_uuid(), lease_micros = 10000000
            WHERE queue = '__wf_billing@1'""";

    @Test
    void aPageReadsNoMoreRowsThanItMay() {
        VirtualTime.prepare(SCHEMA);
        TestPostgres.server().execute("ALTER TABLE lists.run SET (autovacuum_enabled = off)");
        TestPostgres.server().execute(RUNS);
        TestPostgres.server().execute(LEASED);
        readsFew("before ANALYZE");
        readsFewOfTheDue("before ANALYZE");
        TestPostgres.server().execute("ANALYZE");
        readsFew("after ANALYZE");
        readsFewOfTheDue("after ANALYZE");
        TestPostgres.server().execute("DROP SCHEMA lists CASCADE");
    }

    private static void readsFew(String when) {
        try (Connections connections = Connections.to(VirtualTime.url(SCHEMA))) {
            for (RunQuery query : queries()) {
                long rows = connections.listing(session -> {
                    long before = rowsRead(session);
                    new RunLists(session, CALLS).runs(query);
                    return rowsRead(session) - before;
                });
                assertThat(rows).as("%s, rows read by %s", when, query).isLessThanOrEqualTo(MOST_ROWS);
            }
            long overdue = connections.listing(session -> {
                long before = rowsRead(session);
                assertThat(new RunLists(session, CALLS).overdue(TENANT, -1_000_000, 10))
                        .hasSize(10);
                return rowsRead(session) - before;
            });
            assertThat(overdue).as("%s, rows read of overdue runs", when).isLessThan(20);
            for (Inspect inspect : inspections()) {
                long rows = connections.snapshot(session -> {
                    long before = rowsRead(session);
                    new Inspections(session, TENANT, CALLS).inspect(inspect);
                    return rowsRead(session) - before;
                });
                assertThat(rows).as("%s, rows read by %s", when, inspect).isBetween(10L, MOST_ROWS);
            }
        }
    }

    /** However many are due: here all that run are. */
    private static void readsFewOfTheDue(String when) {
        TestPostgres.server().execute("UPDATE lists.virtual_clock SET micros = 1000000");
        try (Connections connections = Connections.to(VirtualTime.url(SCHEMA))) {
            long due = connections.listing(session -> {
                long before = rowsRead(session);
                assertThat(new RunLists(session, CALLS).dueSince(TENANT))
                        .isEqualTo(Map.of(
                                new WorkflowName("billing"), Times.instant(102),
                                new WorkflowName("onboard"), Times.instant(2)));
                return rowsRead(session) - before;
            });
            assertThat(due).as("%s, rows read of due runs", when).isLessThan(30);
        }
        TestPostgres.server().execute("UPDATE lists.virtual_clock SET micros = 0");
    }

    /** By this connection, since it last told the others. */
    private static long rowsRead(Session session) throws SQLException {
        return session.number("""
                SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint
                FROM pg_stat_xact_user_tables WHERE schemaname = ?""", SCHEMA);
    }

    private static List<RunQuery> queries() {
        List<@Nullable RunStatus> statuses = new ArrayList<>(Arrays.asList(RunStatus.values()));
        statuses.add(null);
        List<@Nullable String> workflows = Arrays.asList(null, "onboard", "missing");
        List<Map<String, String>> tags =
                List.of(Map.of(), Map.of("team", "a"), Map.of("rare", "yes", "team", "a"), Map.of("team", "missing"));
        return Stream.of(Order.values())
                .flatMap(order -> statuses.stream()
                        .flatMap(status -> workflows.stream()
                                .flatMap(workflow ->
                                        tags.stream().map(tagged -> query(order, workflow, status, tagged)))))
                .toList();
    }

    private static List<Inspect> inspections() {
        Inspect all = new Inspect(TENANT, Inspect.Scope.ALL, Duration.ZERO, null, 100);
        RunQuery.Cursor middle = new RunQuery.Cursor(Times.instant(50_000), new RunId(new UUID(0, 50_000)));
        return List.of(all, all.from(middle), new Inspect(TENANT, Inspect.Scope.LEASED, Duration.ZERO, null, 100));
    }

    private static RunQuery query(
            Order order, @Nullable String workflow, @Nullable RunStatus status, Map<String, String> tags) {
        WorkflowName name = workflow == null ? null : new WorkflowName(workflow);
        return new RunQuery(TENANT, order, name, status, null, null, tags, null, 10);
    }
}
