package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.property.ModelRun;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No table that grows is ever read from end to end, with 200,000 finished runs and as many keys and events in it, whether the
 * server has statistics about them or not: the smaller a table, the more a scan of it tempts the planner. The server itself counts: everything that a store can be asked, ten thousand times.
 */
@Exhaustive
final class PlansTest {
    private static final String SCHEMA = "plans";
    private static final List<String> GROWING = List.of(
            "message",
            "queue_group",
            "claimed_key",
            "run",
            "event",
            "run_message",
            "signal",
            "lane_batch",
            "run_tag",
            "run_at_rest");

    /** Of a tenant of its own, so that nobody's answers change. */
    private static final String FINISHED = """
            INSERT INTO plans.run (tenant, id, workflow, status, input, output, tags, retention_days, started_at,
                                   completed_at)
            SELECT 'archive', lpad(to_hex(n), 32, '0')::uuid, 'old', 'completed', '{}', '{}', '{"team":"a"}', 30, n, n
            FROM generate_series(1, 200000) n;
            INSERT INTO plans.run_at_rest (tenant, workflow, status, at, run, retires_at)
            SELECT 'archive', 'old', 'completed', n, lpad(to_hex(n), 32, '0')::uuid, 9e15
            FROM generate_series(1, 200000) n;
            INSERT INTO plans.run_tag (tenant, name, value, started_at, run)
            SELECT 'archive', 'team', 'a', n, lpad(to_hex(n), 32, '0')::uuid FROM generate_series(1, 200000) n;
            INSERT INTO plans.event (tenant, run, seq, at, event)
            SELECT 'archive', lpad(to_hex(n), 32, '0')::uuid, 1, n, '{}' FROM generate_series(1, 200000) n;
            INSERT INTO plans.claimed_key (tenant, scope, within, value, holder, detail)
            SELECT 'archive', 'idempotency', 'old', n, lpad(to_hex(n), 32, '0')::uuid, ''
            FROM generate_series(1, 200000) n;
            INSERT INTO plans.message (tenant, id, queue, ready_at, expires_at, sent_at, body)
            SELECT 'archive', lpad(to_hex(n), 32, '0')::uuid, -1, n, 9e15, n, '{}' FROM generate_series(1, 100000) n;
            INSERT INTO plans.signal (tenant, run, number, event, payload, at)
            SELECT 'archive', lpad(to_hex(n), 32, '0')::uuid, 1, 'old', '{}', n FROM generate_series(1, 100000) n;
            INSERT INTO plans.run_message (tenant, run, deadline, queue, ready_at)
            SELECT 'archive', lpad(to_hex(n), 32, '0')::uuid, n, 'old', n
            FROM generate_series(1, 100000) n""";

    /** Sessions of tests before this one may go on. */
    private final Instant began = Instant.now();

    @Test
    void nothingThatGrowsIsReadFromEndToEnd() {
        VirtualTime.prepare(SCHEMA);
        for (String table : GROWING) {
            run("ALTER TABLE plans.%s SET (autovacuum_enabled = off)".formatted(table));
        }
        run(FINISHED);
        assertThat(scansOfAModelRun()).as("before ANALYZE").isZero();
        forgetTheRun();
        run("ANALYZE");
        assertThat(scansOfAModelRun()).as("after ANALYZE").isZero();
        run("DROP SCHEMA plans CASCADE");
    }

    private long scansOfAModelRun() {
        long before = scans();
        ModelRun.checkFirst(1_500, (clock, limits) -> VirtualTime.over(SCHEMA, clock, limits), 1);
        return scans() - before;
    }

    private static void forgetTheRun() {
        Stream.of(
                        "message",
                        "claimed_key",
                        "run",
                        "run_at_rest",
                        "run_tag",
                        "event",
                        "run_message",
                        "signal",
                        "queue",
                        "run_count",
                        "worker")
                .forEach(table -> run("DELETE FROM plans.%s WHERE tenant <> 'archive'".formatted(table)));
        Stream.of("queue_group", "queue_count", "lane", "lane_batch")
                .forEach(table -> run("DELETE FROM plans.%s".formatted(table)));
        // The next run begins at an earlier time, which is not to look like a clock that went back.
        run("SELECT setval('plans.latest_lease', 0)");
    }

    private static void run(String sql) {
        // Past the time limits of a store's connections.
        TestPostgres.server().execute(sql);
    }

    /** A session adds to the server's count when it ends, which is after its client has left. */
    private long scans() {
        String others = """
                SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                AND backend_type = 'client backend' AND backend_start >= '%s'""".formatted(began);
        String scans = """
                SELECT coalesce(sum(seq_scan), 0) FROM pg_stat_user_tables
                WHERE schemaname = '%s' AND relname IN ('%s')""".formatted(SCHEMA, String.join("', '", GROWING));
        try (Connection connection = TestPostgres.connect(VirtualTime.url(SCHEMA));
                Statement statement = connection.createStatement()) {
            while (number(statement, others) > 0) {
                Thread.onSpinWait();
            }
            return number(statement, scans);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }
}
