package io.perdure.store.postgres;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.core.BaseConnection;

/**
 * The only way to the server: a share of a pool, and what is run over it. Each method says what it means when a connection is lost,
 * because only here it is known what was in progress. {@link Pools} says how connections are made and kept, {@link Pool} who gets one.
 *
 * <p>Safe for many threads.
 */
final class Connections implements AutoCloseable {
    private static final String LOST = "08006";

    /** All connections in use for this long is a reason to be told so, and to try again. */
    private static final Duration WAIT = Duration.ofSeconds(5);

    /** While a server is replaced, another may refuse the user, or lack the database, before it is set up. */
    private static final Duration REPLACED = Duration.ofSeconds(30);

    private static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED;";
    private static final String SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;";

    private static final String BY_INDEX = Stream.of(
                    "seqscan", "bitmapscan", "hashjoin", "mergejoin", "material", "memoize", "sort", "incremental_sort")
            .map("set_config('enable_%s', 'off', true)"::formatted)
            .collect(Collectors.joining(
                    ", ",
                    "SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true), ",
                    ";"));

    private final PostgresUrl url;
    private final SchemaName schema;
    private final Pool pool;
    private final Share share;
    private final Duration wait;
    private final boolean pooler;

    private Connections(PostgresUrl url, SchemaName schema, Pool pool, Share share, Duration wait) {
        this.url = url;
        this.schema = schema;
        this.pool = pool;
        this.share = share;
        this.wait = wait;
        this.pooler = url.pooler() == PostgresUrl.Pooler.TRANSACTION;
    }

    /** Over the pool for all but leases, as flushes go. An unreachable server shows when something is asked of it. */
    static Connections to(PostgresUrl url) {
        return over(url, Pools.forWork(url));
    }

    /** Over the pool for leases that are extended. */
    static Connections forLeases(PostgresUrl url) {
        return over(url, Pools.forLeases(url));
    }

    private static Connections over(PostgresUrl url, Pool pool) {
        return new Connections(url, new SchemaName(url.schema()), pool, Share.FLUSHES, WAIT);
    }

    /** Over the same pool, as another share of it. */
    Connections as(Share other) {
        return new Connections(url, schema, pool, other, wait);
    }

    /** Over the same share, whose callers wait in line for a connection for up to the given time. */
    Connections waiting(Duration atMost) {
        return new Connections(url, schema, pool, share, atMost);
    }

    /** Whether the server does not answer: no connection could be opened, or one is in use for longer than the given time. */
    boolean isStuck(Duration time) {
        return pool.isStuck(time);
    }

    /** The number of callers that wait in line for a connection of this share. */
    int inLine() {
        return pool.waiting(share);
    }

    PostgresUrl url() {
        return url;
    }

    /**
     * Reads, each statement by itself. Where the connection is lost the work is run once more over a new one; lost again, or not
     * to be had, is {@code PD-208}.
     */
    <T> T read(Work<T> work) {
        return undisturbed(() -> pooler
                ? readInTransaction(READ_COMMITTED, work)
                : retried(connection -> work.run(session(connection, ""))));
    }

    /** Reads everything as of one moment, by indexes as {@link #listing} does. A lost connection is as in {@link #read}. */
    <T> T snapshot(Work<T> work) {
        return undisturbed(() -> readInTransaction(SNAPSHOT + BY_INDEX, work));
    }

    /**
     * Reads lists, each statement by itself: by indexes and in their order, whatever the server knows or does not know of the
     * tables. A lost connection is as in {@link #read}.
     */
    <T> T listing(Work<T> work) {
        return undisturbed(() -> readInTransaction(READ_COMMITTED + BY_INDEX, work));
    }

    /**
     * Runs what writes: one statement, or several that are sent together and are one transaction. Where the connection is lost, the outcome is unknown: {@code PD-201}. After every other error
     * nothing has happened.
     */
    <T> T write(Work<T> work) {
        return undisturbed(() -> pooler ? wholeTransaction(work) : statement(work));
    }

    /**
     * Runs a transaction, READ COMMITTED, and commits it where the work returns. Where the connection is lost in {@code COMMIT}
     * the outcome is unknown: {@code PD-201}. After every other error, also of the work itself, nothing has happened.
     */
    <T> T transaction(Work<T> work) {
        return undisturbed(() -> wholeTransaction(work));
    }

    private <T> T statement(Work<T> work) {
        try {
            return over(borrow(), connection -> {
                try {
                    return work.run(session(connection, ""));
                } catch (SQLException e) {
                    throw toldApart(connection, e);
                }
            });
        } catch (SQLException e) {
            throw PostgresErrors.whileWriting(e, url, isReplaced());
        }
    }

    private <T> T wholeTransaction(Work<T> work) {
        try {
            return over(borrow(), connection -> {
                // Without a pooler this is what the session's settings say.
                T result = begun(connection, pooler ? READ_COMMITTED : "", work);
                commit(connection);
                return result;
            });
        } catch (SQLException e) {
            throw PostgresErrors.atWork(e, url, isReplaced());
        }
    }

    /** Opens a connection outside of the pool, for who listens. The caller closes it. */
    Connection dedicated() {
        return Pools.connectToPrimary(url);
    }

    /** How long a write may be under way, from its first lock to its commit. */
    Duration longestWrite() {
        // Behind a pooler the commit is a round trip of its own.
        return pooler ? SessionSettings.STATEMENT.plus(SessionSettings.IDLE_IN_TRANSACTION) : SessionSettings.STATEMENT;
    }

    /** Closes all connections, also those in use. */
    @Override
    public void close() {
        pool.close();
    }

    /**
     * Puts an interrupt of the caller off until the call is over: the pool would not wait for a connection, and under a virtual
     * thread the socket is closed. What fails by one that comes in the middle is done again, unless it may have been done.
     */
    private static <T> T undisturbed(Supplier<T> call) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return call.get();
                } catch (StoreException e) {
                    if (e.code() == ErrorCode.OUTCOME_UNKNOWN || !Thread.interrupted()) {
                        throw e;
                    }
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <T> T readInTransaction(String opening, Work<T> work) {
        return retried(connection -> {
            T result = begun(connection, opening, work);
            connection.commit();
            return result;
        });
    }

    private <T> T retried(Use<T> use) {
        SQLException lost;
        try {
            return over(borrow(), use);
        } catch (SQLException e) {
            if (!PostgresErrors.isLost(e) || Thread.currentThread().isInterrupted()) {
                throw PostgresErrors.atWork(e, url, isReplaced());
            }
            lost = e;
        }
        try {
            return over(borrow(), use);
        } catch (SQLException e) {
            e.addSuppressed(lost);
            throw PostgresErrors.atWork(e, url, isReplaced());
        }
    }

    /** Begins a transaction and runs the work in it; rolled back where that throws, whatever it throws. */
    private <T> T begun(Connection connection, String opening, Work<T> work) throws SQLException {
        // BEGIN goes out together with the first statement.
        connection.setAutoCommit(false);
        String limits = pooler ? SessionSettings.forTransaction() + ";" : "";
        try {
            return work.run(session(connection, opening + limits));
        } catch (Throwable e) {
            rollBack(connection, e);
            throw e;
        }
    }

    private void commit(Connection connection) {
        try {
            connection.commit();
        } catch (SQLException e) {
            SQLException told = toldApart(connection, e);
            letGo(connection, told);
            throw PostgresErrors.whileWriting(told, url, isReplaced());
        }
    }

    /**
     * An error after which the connection lives on was the server's last word: it undid what was asked. One with which the
     * connection ended was not, whatever it says: a server that could not write its log dies of it, and what it was about to
     * commit may be there when it is back.
     */
    private static SQLException toldApart(Connection connection, SQLException e) {
        return isGone(connection) ? new SQLNonTransientConnectionException("The connection ended", LOST, e) : e;
    }

    private static boolean isGone(Connection connection) {
        try {
            return connection.unwrap(BaseConnection.class).isClosed();
        } catch (SQLException e) {
            // The pool has taken it away.
            return true;
        }
    }

    private void rollBack(Connection connection, Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            // The server rolls back by itself when the connection ends.
            pool.evict(connection);
            cause.addSuppressed(e);
        }
    }

    private Session session(Connection connection, String opening) {
        return new Session(connection, schema, opening);
    }

    /**
     * After a lost connection none of the others is trusted: what took one often took all. The same after the server said that
     * it cannot write: it is not the primary any more, and connections to it would stay with it. But an interrupt takes only the
     * one of the thread that it met.
     */
    private void letGo(Connection connection, SQLException e) {
        if (PostgresErrors.endsSessions(e)) {
            pool.evict(connection);
            if (!Thread.currentThread().isInterrupted()) {
                pool.evictAll();
            }
        }
    }

    /** Whether a failover may be in progress: a connection was lost a moment ago. */
    private boolean isReplaced() {
        return pool.lostWithin(REPLACED);
    }

    private <T> T over(Connection connection, Use<T> use) throws SQLException {
        try {
            return use.of(connection);
        } catch (SQLException e) {
            letGo(connection, e);
            throw e;
        } finally {
            pool.giveBack(connection);
        }
    }

    private Connection borrow() {
        try {
            return pool.borrow(share, wait);
        } catch (SQLException e) {
            if (pool.isClosed()) {
                throw new StoreException(ErrorCode.STORE_CLOSED, "The store at %s was closed.".formatted(url), e);
            }
            throw PostgresErrors.whileWaiting(e, url, share.most(url.connections()), isReplaced());
        }
    }

    /** What is done over a connection. */
    @FunctionalInterface
    interface Work<T> {
        T run(Session session) throws SQLException;
    }

    @FunctionalInterface
    private interface Use<T> {
        T of(Connection connection) throws SQLException;
    }
}
