package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageQuery;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/**
 * However deep a queue is, whether its messages are delayed, leased, behind the head of their group or simply many: what is asked of
 * it reads few rows. The server itself counts, without statistics about the tables and with them.
 */
final class QueuePlansTest {
    private static final String SCHEMA = "deep";
    private static final TenantId TENANT = new TenantId("acme");

    /** Ten messages, each read and looked up again, and a few rows of the queue itself. */
    private static final long FEW = 100;

    /** The clock stands at 10^12. In "mail" a hundred thousand are delayed; in "pile" as many are ready, half of them in one group. */
    private static final String MESSAGES = """
            UPDATE deep.virtual_clock SET micros = 1000000000000;
            INSERT INTO deep.queue (tenant, name, visibility_millis, retries, dead_letters, retention_millis,
                                    dead_letter_retention_millis, max_delay_millis)
            SELECT 'acme', n, 30000, 3, true, 345600000, 345600000, 43200000
            FROM unnest(ARRAY['mail', 'mail.dlq', 'pile', 'pile.dlq']) n;
            INSERT INTO deep.message (tenant, id, queue, ready_at, expires_at, sent_at, body)
            SELECT 'acme', lpad(to_hex(n), 32, '0')::uuid, q.id, 1000000000000 + 100000 * n::bigint, 9e15, 1000, '{}'
            FROM generate_series(1, 100000) n, deep.queue q WHERE q.name = 'mail';
            INSERT INTO deep.message (tenant, id, queue, ready_at, expires_at, sent_at, body)
            SELECT 'acme', lpad(to_hex(1000000 + n), 32, '0')::uuid, q.id, n, 9e15, n, '{}'
            FROM generate_series(1, 3) n, deep.queue q WHERE q.name = 'mail';
            INSERT INTO deep.message (tenant, id, queue, ready_at, expires_at, sent_at, group_key, group_seq, blocked, body)
            SELECT 'acme', lpad(to_hex(2000000 + n), 32, '0')::uuid, q.id, n, 9e15, n,
                   CASE WHEN n % 2 = 0 THEN 'g' END, CASE WHEN n % 2 = 0 THEN n ELSE 0 END, n % 2 = 0 AND n > 2, '{}'
            FROM generate_series(1, 100000) n, deep.queue q WHERE q.name = 'pile';
            INSERT INTO deep.queue_group (queue, group_key, newest) SELECT id, 'g', 100000 FROM deep.queue WHERE name = 'pile'""";

    /** Something that is asked of a queue. */
    private interface Asked {
        void of(Session session) throws SQLException;
    }

    @Test
    void whatIsAskedOfADeepQueueReadsFewRows() {
        VirtualTime.prepare(SCHEMA);
        TestPostgres.server().execute("ALTER TABLE deep.message SET (autovacuum_enabled = off)");
        TestPostgres.server().execute(MESSAGES);
        readsFew("before ANALYZE");
        TestPostgres.server().execute("ANALYZE");
        readsFew("after ANALYZE");
        TestPostgres.server().execute("DROP SCHEMA deep CASCADE");
    }

    private static void readsFew(String when) {
        try (Connections connections = Connections.to(VirtualTime.url(SCHEMA))) {
            for (String queue : new String[] {"mail", "pile"}) {
                QueueName name = new QueueName(queue);
                reads(when, "deliverable of " + queue, connections, session -> page(session, name, true));
                reads(when, "messages of " + queue, connections, session -> page(session, name, false));
                reads(
                        when,
                        "figures of " + queue,
                        connections,
                        session -> new QueueReads(session).figures(TENANT, name));
            }
            reads(when, "a receive", connections, QueuePlansTest::receive);
            reads(when, "a purge", connections, QueuePlansTest::purge);
        }
    }

    private static void page(Session session, QueueName queue, boolean deliverable) throws SQLException {
        assertThat(new QueueReads(session).messages(new MessageQuery(TENANT, queue, deliverable, null, 10)))
                .isNotEmpty();
    }

    private static void receive(Session session) throws SQLException {
        session.list("""
                SELECT coalesce(deliveries, 0)
                FROM perdure.receive_2('acme', 'pile', ARRAY[10], ARRAY[gen_random_uuid()], ARRAY[30000000], NULL, NULL)""", row -> row.integer(1));
    }

    private static void purge(Session session) throws SQLException {
        session.list(
                "SELECT perdure.purge_1('{\"tenant\": \"acme\", \"queue\": \"pile\", \"limit\": 10}', 0)::text",
                row -> row.text(1));
    }

    private static void reads(String when, String what, Connections connections, Asked asked) {
        boolean changes = what.startsWith("a ");
        Connections.Work<Long> counted = session -> {
            long before = rowsRead(session);
            asked.of(session);
            return rowsRead(session) - before;
        };
        long rows = changes ? connections.write(counted) : connections.snapshot(counted);
        assertThat(rows).as("%s, rows read by %s", when, what).isLessThanOrEqualTo(FEW);
    }

    /** By this connection, since it last told the others. */
    private static long rowsRead(Session session) throws SQLException {
        return session.number("""
                SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint
                FROM pg_stat_xact_user_tables WHERE schemaname = ?""", SCHEMA);
    }
}
