package io.perdure.benchmarks;

import io.perdure.core.store.Effort;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.Ids;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConfig.TransactionMode;

/**
 * A queue made by hand on Perdure's own tables and durability settings, over a pool of connections. It does less than Perdure:
 * no figures, no groups, no batches to remember. What it lacks is the shared flush.
 */
final class SqliteJobTable implements JobTable {
    private static final long VISIBILITY_MICROS = 30_000_000;
    private static final long RETENTION_MICROS = Duration.ofDays(4).toNanos() / 1_000;
    private static final String TENANT = "bench";

    private static final String INSERT = """
            INSERT INTO message (tenant, id, queue, ready_at, expires_at, sent_at, lease_nanos, body)
            VALUES (?, ?, 1, ?, ?, ?, 0, ?)""";

    private static final String RECEIVE = """
            UPDATE message SET token = ?, ready_at = ?, lease_nanos = ?, deliveries = deliveries + 1
            WHERE row IN (SELECT row FROM message WHERE queue = 1 AND blocked = 0 AND ready_at <= ? ORDER BY ready_at, id LIMIT ?)
            RETURNING id, body, deliveries""";

    private static final String DELETE = "DELETE FROM message WHERE tenant = ? AND id = ? AND token = ?";

    private final BlockingQueue<Pooled> pool;
    private final Ids ids = new SystemEnvironment().ids();
    private final byte[] token = bytes(ids.token());
    private final LongAdder transactions = new LongAdder();

    private record Pooled(
            Connection connection, PreparedStatement insert, PreparedStatement receive, PreparedStatement delete) {}

    private SqliteJobTable(BlockingQueue<Pooled> pool) {
        this.pool = pool;
    }

    /** Opens a new file with Perdure's tables, and connections to it. */
    static SqliteJobTable open(String url, int connections) {
        Engine.open(url).close();
        BlockingQueue<Pooled> pool = new ArrayBlockingQueue<>(connections);
        for (int opened = 0; opened < connections; opened++) {
            try {
                pool.add(connect(url));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
        return new SqliteJobTable(pool);
    }

    private static Pooled connect(String url) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(JournalMode.WAL);
        config.setSynchronous(SynchronousMode.FULL);
        config.setTransactionMode(TransactionMode.IMMEDIATE);
        config.setBusyTimeout(30_000);
        config.setGetGeneratedKeys(false);
        Connection connection = config.createConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA wal_autocheckpoint = 4000");
        }
        return new Pooled(
                connection,
                connection.prepareStatement(INSERT),
                connection.prepareStatement(RECEIVE),
                connection.prepareStatement(DELETE));
    }

    /** Its transactions, each of which is a flush; rows are not counted. */
    @Override
    public Effort effort() {
        return new Effort(transactions.sum(), 0);
    }

    @Override
    public int send() throws SQLException, InterruptedException {
        Pooled pooled = pool.take();
        try {
            long now = micros();
            PreparedStatement insert = pooled.insert();
            insert.setString(1, TENANT);
            insert.setBytes(2, bytes(ids.messageId().value()));
            insert.setLong(3, now);
            insert.setLong(4, now + RETENTION_MICROS);
            insert.setLong(5, now);
            insert.setString(6, Trips.BODY.text());
            transactions.increment();
            return insert.executeUpdate();
        } finally {
            pool.add(pooled);
        }
    }

    /** One transaction for up to 100 messages received, then one for each of them. */
    @Override
    public int trip() throws SQLException, InterruptedException {
        int handled = 0;
        for (byte[] message : receive(Trips.BATCH)) {
            ack(message);
            handled++;
        }
        return handled;
    }

    private List<byte[]> receive(int max) throws SQLException, InterruptedException {
        Pooled pooled = pool.take();
        try {
            long now = micros();
            PreparedStatement receive = pooled.receive();
            receive.setBytes(1, token);
            receive.setLong(2, now + VISIBILITY_MICROS);
            receive.setLong(3, VISIBILITY_MICROS * 1_000);
            receive.setLong(4, now);
            receive.setInt(5, max);
            List<byte[]> messages = new ArrayList<>();
            transactions.increment();
            try (ResultSet result = receive.executeQuery()) {
                while (result.next()) {
                    messages.add(result.getBytes(1));
                }
            }
            return messages;
        } finally {
            pool.add(pooled);
        }
    }

    private void ack(byte[] message) throws SQLException, InterruptedException {
        Pooled pooled = pool.take();
        try {
            PreparedStatement delete = pooled.delete();
            delete.setString(1, TENANT);
            delete.setBytes(2, message);
            delete.setBytes(3, token);
            transactions.increment();
            if (delete.executeUpdate() != 1) {
                throw new IllegalStateException("a message was not there to acknowledge");
            }
        } finally {
            pool.add(pooled);
        }
    }

    private static long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }

    private static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
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
