package io.perdure.benchmarks;

import io.perdure.core.store.Effort;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * As the books say: {@code SKIP LOCKED}, prepared statements that know their plan, a transaction for each send, for each message
 * received and for each ack. It keeps no figures, groups, deduplication or batches.
 */
final class PostgresJobTable implements JobTable {
    private static final String INSERT = """
            INSERT INTO message (tenant, id, queue, ready_at, expires_at, sent_at, body)
            SELECT 'bench', ?, 1, t.now, t.now + 345600000000, t.now, ?
            FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now) t""";

    private static final String RECEIVE = """
            UPDATE message SET token = ?, lease_micros = 30000000, deliveries = deliveries + 1,
                ready_at = (extract(epoch FROM statement_timestamp()) * 1000000)::bigint + 30000000
            WHERE tenant = 'bench' AND id = (
                SELECT id FROM message
                WHERE queue = 1 AND NOT blocked AND ready_at <= (extract(epoch FROM statement_timestamp()) * 1000000)::bigint
                ORDER BY ready_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING id, body, deliveries""";

    private static final String DELETE = "DELETE FROM message WHERE tenant = 'bench' AND id = ? AND token = ?";

    /** Nobody analyzed the tables yet: without this the first plans read them whole. */
    private static final String PLANS = """
            SET enable_seqscan = off; SET enable_bitmapscan = off; SET jit = off;
            SET plan_cache_mode = force_generic_plan""";

    /** What an empty queue is left alone for. */
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final Environment environment = new SystemEnvironment();
    private final BlockingQueue<Pooled> pool;
    private final UUID token = environment.ids().token();

    private record Pooled(
            Connection connection, PreparedStatement insert, PreparedStatement receive, PreparedStatement delete) {}

    private PostgresJobTable(BlockingQueue<Pooled> pool) {
        this.pool = pool;
    }

    /** Opens connections to a schema with Perdure's tables. */
    static PostgresJobTable open(String url, int connections) {
        BlockingQueue<Pooled> pool = new ArrayBlockingQueue<>(connections);
        for (int opened = 0; opened < connections; opened++) {
            try {
                pool.add(connect(url + "&prepareThreshold=1"));
            } catch (SQLException e) {
                throw new IllegalStateException("The connection " + (opened + 1) + " cannot be opened.", e);
            }
        }
        return new PostgresJobTable(pool);
    }

    private static Pooled connect(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute(PLANS);
        }
        return new Pooled(
                connection,
                connection.prepareStatement(INSERT),
                connection.prepareStatement(RECEIVE),
                connection.prepareStatement(DELETE));
    }

    @Override
    public int send() throws SQLException, InterruptedException {
        Pooled pooled = pool.take();
        try {
            pooled.insert().setObject(1, environment.ids().messageId().value());
            pooled.insert().setString(2, Trips.BODY.text());
            return pooled.insert().executeUpdate();
        } finally {
            pool.add(pooled);
        }
    }

    @Override
    public int trip() throws SQLException, InterruptedException {
        UUID message = receive();
        if (message == null) {
            environment.sleep(PAUSE);
            return 0;
        }
        ack(message);
        return 1;
    }

    private @Nullable UUID receive() throws SQLException, InterruptedException {
        Pooled pooled = pool.take();
        try {
            pooled.receive().setObject(1, token);
            try (ResultSet result = pooled.receive().executeQuery()) {
                return result.next() ? result.getObject(1, UUID.class) : null;
            }
        } finally {
            pool.add(pooled);
        }
    }

    private void ack(UUID message) throws SQLException, InterruptedException {
        Pooled pooled = pool.take();
        try {
            pooled.delete().setObject(1, message);
            pooled.delete().setObject(2, token);
            if (pooled.delete().executeUpdate() != 1) {
                throw new IllegalStateException("a message was not there to acknowledge");
            }
        } finally {
            pool.add(pooled);
        }
    }

    /** The server counts. */
    @Override
    public Effort effort() {
        return new Effort(0, 0);
    }

    @Override
    public void close() {
        for (Pooled pooled : pool) {
            try {
                pooled.connection().close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
