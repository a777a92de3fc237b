package io.perdure.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.perdure.sdk.logging.Logs;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Lends the connections that HikariCP keeps. {@link ConnectionPermits} says which caller is next: it admits no more callers than
 * there are connections, so a caller that was admitted waits for a connection only while one is opened. What
 * {@link PrimarySource} meets meanwhile, the caller hears within a quarter of a second.
 *
 * <p>Safe for many threads.
 */
final class Pool implements AutoCloseable {
    /** The shortest that HikariCP allows. A caller that may wait for longer asks again. */
    static final Duration LOOK = Duration.ofMillis(250);

    /** Longer than a connection is in use, but for transactions of several statements. */
    static final Duration RETURNED = SessionSettings.STATEMENT.plusSeconds(1);

    /** Of a connection that could not be opened in time. */
    private static final String NOT_CONNECTED = "08001";

    private final PrimarySource source;
    private final HikariDataSource connections;
    private final int kept;
    private final Duration returned;
    private final ConnectionPermits permits;
    private final Map<Connection, Loan> lent = new ConcurrentHashMap<>();

    private record Loan(Share share, long sinceNanos, boolean evicted) {}

    /**
     * Opens nothing yet.
     *
     * @param config with the source and the number of connections that are open at once, at most
     * @param kept the number of connections that stay open however long they rest
     * @param returned how long after a loss those that were in use are all given back
     */
    Pool(PrimarySource source, HikariConfig config, int kept, Duration returned) {
        this.source = source;
        this.connections = new HikariDataSource(config);
        this.kept = kept;
        this.returned = returned;
        this.permits = new ConnectionPermits(config.getMaximumPoolSize());
    }

    /**
     * Lends a connection, which {@link #giveBack} takes. Throws what opening one met, also while the caller waited in line for
     * others that meet the same; without such an error, one that has neither state nor cause: all are in use.
     */
    Connection borrow(Share share, Duration wait) throws SQLException {
        long began = System.nanoTime();
        enter(share, wait);
        boolean done = false;
        try {
            Connection connection = connection(began, TimeUnit.NANOSECONDS.convert(wait));
            lent.put(connection, new Loan(share, System.nanoTime(), false));
            done = true;
            return connection;
        } finally {
            if (!done) {
                permits.release(share);
            }
        }
    }

    private void enter(Share share, Duration wait) throws SQLException {
        if (permits.waiting(share) >= ConnectionPermits.LONGEST) {
            throw new SQLTransientConnectionException(
                    "%s callers wait for a connection already".formatted(ConnectionPermits.LONGEST));
        }
        try {
            if (!permits.acquire(share, wait)) {
                SQLException failure = source.failure();
                throw failure == null
                        ? new SQLTransientConnectionException("none became free within " + wait)
                        : failure;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while waiting for a connection", e);
        }
    }

    private Connection connection(long began, long waitNanos) throws SQLException {
        while (true) {
            int open = open();
            SQLException failure = open == 0 ? source.failureSince(System.nanoTime()) : null;
            source.want();
            if (failure != null) {
                throw failure;
            }
            long looked = System.nanoTime();
            try {
                Connection connection = fromHikari();
                keep();
                return connection;
            } catch (SQLTransientConnectionException e) {
                noteLoss(open);
                requirePatience(looked, began + waitNanos, e);
            }
        }
    }

    /**
     * If a connection has to be opened, a thread of the operating system waits for it in place of a virtual one. HikariCP offers free connections to its
     * waiters, and while one of them does not run, for steps compute on all carriers, it keeps others from giving theirs back.
     */
    private Connection fromHikari() throws SQLException {
        if (!Thread.currentThread().isVirtual()
                || connections.getHikariPoolMXBean().getIdleConnections() > 0) {
            return connections.getConnection();
        }
        CompletableFuture<Connection> asked = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("perdure-connection").start(() -> ask(asked));
        try {
            return asked.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            SQLException interrupted = new SQLException("interrupted while waiting for a connection", e);
            if (asked.completeExceptionally(interrupted) || asked.isCompletedExceptionally()) {
                throw interrupted;
            }
            return asked.resultNow();
        }
    }

    private void ask(CompletableFuture<Connection> asked) {
        try {
            Connection connection = connections.getConnection();
            if (!asked.complete(connection)) {
                connection.close();
            }
        } catch (SQLException | RuntimeException | Error e) {
            asked.completeExceptionally(e);
        }
    }

    /** From the first connection on: before it, HikariCP would open one without a caller. */
    private void keep() {
        if (connections.getMinimumIdle() < kept) {
            connections.setMinimumIdle(kept);
        }
    }

    /**
     * HikariCP closes connections that it finds dead after a rest, and says nothing of it. After a loss that is known it closes those in use as they
     * are given back: that is not another loss, for which all that were opened since would go too.
     */
    private void noteLoss(int before) {
        if (open() < before && !lostWithin(returned) && !Thread.currentThread().isInterrupted()) {
            evictAll();
        }
    }

    private void requirePatience(long looked, long until, SQLException timeout) throws SQLException {
        SQLException failure = source.failureSince(looked);
        if (failure == null && System.nanoTime() - until >= 0) {
            failure = source.failure();
            if (failure == null) {
                failure =
                        new SQLTransientConnectionException("no connection was opened in time", NOT_CONNECTED, timeout);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private int open() {
        return connections.getHikariPoolMXBean().getTotalConnections();
    }

    /** Takes a connection back. HikariCP keeps it unless it was evicted or has served its time. */
    void giveBack(Connection connection) {
        Loan loan = lent.remove(connection);
        try {
            if (loan == null || loan.evicted()) {
                connections.evictConnection(connection);
            } else {
                settle(connection);
                connection.close();
            }
        } catch (SQLException e) {
            // What was asked is done, or its error is on its way. The pool makes another connection.
            Logs.of(Pool.class).log(System.Logger.Level.DEBUG, "A connection could not be settled.", e);
            connections.evictConnection(connection);
        } finally {
            if (loan != null) {
                permits.release(loan.share());
            }
        }
    }

    /** HikariCP would do this too, but fails with a NullPointerException if it aborted the connection meanwhile. */
    private static void settle(Connection connection) throws SQLException {
        if (!connection.isClosed() && !connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** Has a connection that is in use closed when it is given back: HikariCP does not expect it back once it has closed it. */
    void evict(Connection connection) {
        lent.computeIfPresent(connection, (_, loan) -> new Loan(loan.share(), loan.sinceNanos(), true));
    }

    /** Closes all connections at rest, and has those in use closed when they are given back. */
    void evictAll() {
        source.lost();
        connections.getHikariPoolMXBean().softEvictConnections();
    }

    /** Whether a connection was lost, or could not be had for want of a server, within the given time. */
    boolean lostWithin(Duration time) {
        return source.lostWithin(time);
    }

    /** Whether no connection could be opened lately, or one is in use for longer than the given time. */
    boolean isStuck(Duration time) {
        long since = System.nanoTime() - TimeUnit.NANOSECONDS.convert(time);
        return source.failedWithin(time) || lent.values().stream().anyMatch(loan -> loan.sinceNanos() - since < 0);
    }

    boolean isClosed() {
        return connections.isClosed();
    }

    /** The number of callers that wait in a share. */
    int waiting(Share share) {
        return permits.waiting(share);
    }

    /** Closes all connections, also those in use, whose calls then fail. */
    @Override
    public void close() {
        if (isClosed()) {
            return;
        }
        source.close();
        // HikariCP would leave the connections in use alone if its thread is interrupted.
        boolean interrupted = Thread.interrupted();
        try {
            connections.close();
        } finally {
            permits.open();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
