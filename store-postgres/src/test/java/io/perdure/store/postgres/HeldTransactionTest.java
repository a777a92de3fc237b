package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Lease;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunCount;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * While some transaction is held open, no version of a row goes away that died since it began. So a row that every flush updates
 * grows a page per hundred flushes, and each flush walks through all of them: here, none does.
 */
@Timeout(120)
final class HeldTransactionTest {
    private static final int RUNS = 200;

    private final FreshDatabase database = new FreshDatabase();
    private final Sender sender = new Sender(database.text());
    private final Lease lease = new Lease(sender.mailroom.environment.ids().token(), Mailroom.LONG);
    private Connection held;

    @BeforeEach
    void hold() throws SQLException {
        held = database.session();
        try (Statement statement = held.createStatement()) {
            statement.execute(
                    "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT pg_current_xact_id(), count(*) FROM perdure.lane");
        }
    }

    @AfterEach
    void close() throws SQLException {
        try (database) {
            sender.mailroom.close();
            held.close();
        }
    }

    private Advance end(Start start) {
        Event done = new Event.RunCompleted(Json.NULL);
        return new Advance(Mailroom.TENANT, start.run(), lease.token(), 1, List.of(new Draft(done)), List.of(), null);
    }

    private void commit(Commit... commits) {
        assertThat(sender.commit(List.of(commits))).allMatch(Outcome.Applied.class::isInstance);
    }

    private long pages(String table) {
        return Long.parseLong(database.read("SELECT (pg_relation_size('perdure.%s') / 8192)::text".formatted(table)));
    }

    private void fewVersionsAreLeft() {
        assertThat(pages("lane")).as("pages of lane").isLessThanOrEqualTo(1);
        assertThat(pages("run_count")).as("pages of run_count").isLessThanOrEqualTo(1);
    }

    private void counted(RunStatus status, long runs) {
        assertThat(sender.mailroom.store.runCounts(Mailroom.TENANT))
                .containsExactly(new RunCount(Mailroom.WORKFLOW, status, runs));
    }

    @Test
    void flushOfOneCommit_whileATransactionIsHeldOpen_leavesFewVersions() {
        for (int run = 0; run < RUNS; run++) {
            Start start = sender.mailroom.handedOver(lease);
            commit(start);
            commit(end(start));
        }
        fewVersionsAreLeft();
        counted(RunStatus.COMPLETED, RUNS);
    }

    /** Plain starts and ends, and starts that have keys, which the flush does in another way. */
    @Test
    void flushOfSeveralCommits_whileATransactionIsHeldOpen_leavesFewVersions() {
        for (int run = 0; run < RUNS; run++) {
            Start plain = sender.mailroom.handedOver(lease);
            commit(plain, sender.mailroom.start("key " + run, Json.NULL));
            commit(end(plain), sender.mailroom.start("other key " + run, Json.NULL));
        }
        fewVersionsAreLeft();
        assertThat(sender.mailroom.store.runCounts(Mailroom.TENANT))
                .containsExactlyInAnyOrder(
                        new RunCount(Mailroom.WORKFLOW, RunStatus.COMPLETED, RUNS),
                        new RunCount(Mailroom.WORKFLOW, RunStatus.RUNNING, 2L * RUNS));
    }

    /** The figures are read from where they were folded to and from the few batches since. */
    @Test
    void runCounts_afterManyFlushes_readFewBatches() {
        for (int run = 0; run < RUNS; run++) {
            commit(sender.mailroom.handedOver(lease));
        }
        try (Connections connections = Connections.to(database.url())) {
            long rows = connections.write(session -> {
                long before = rowsRead(session);
                session.list("SELECT runs FROM perdure.run_counts_1('default')", row -> row.integer(1));
                return rowsRead(session) - before;
            });
            assertThat(rows).as("rows read").isLessThanOrEqualTo(50);
        }
        counted(RunStatus.RUNNING, RUNS);
    }

    /** The next flush adds to rows that have few versions: it touches a page or two of each table, however many there were. */
    @Test
    void sends_whileATransactionIsHeldOpen_addToRowsOfFewVersions() {
        for (int message = 0; message < 3 * RUNS; message++) {
            commit(delayed());
        }
        String counted =
                database.read("SELECT queue || ', ' || lane FROM perdure.queue_count ORDER BY lane DESC LIMIT 1");
        try (Connections connections = Connections.to(database.url())) {
            long pages = connections.write(session -> {
                long before = pagesRead(session);
                session.list("SELECT perdure.count_1(%s, 0, 0, 0, 0, 0)::text".formatted(counted), row -> row.text(1));
                return pagesRead(session) - before;
            });
            assertThat(pages).as("pages read").isLessThanOrEqualTo(5);
        }
        assertThat(sender.mailroom.figures(Mailroom.QUEUE).delayed()).isEqualTo(3L * RUNS);
        assertThat(sender.mailroom.figures(Mailroom.QUEUE).in()).isEqualTo(3L * RUNS);
    }

    private Commit delayed() {
        return new Send(
                Mailroom.TENANT,
                List.of(new NewMessage(
                        sender.mailroom.environment.ids().messageId(),
                        Mailroom.QUEUE,
                        Json.NULL,
                        Map.of(),
                        Mailroom.LONG,
                        null,
                        null)));
    }

    /** The pages of the figures of queues that this transaction has touched. */
    private static long pagesRead(Session session) throws SQLException {
        return session.number("SELECT pg_stat_get_xact_blocks_fetched('perdure.queue_count'::regclass)");
    }

    private static long rowsRead(Session session) throws SQLException {
        return session.number("""
                SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint
                FROM pg_stat_xact_user_tables WHERE schemaname = 'perdure'""");
    }
}
