package io.perdure.store.postgres;

import io.perdure.sdk.logging.Logs;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens the connections of a pool, to a server that can write. HikariCP asks for one connection at a time and waits up to five
 * seconds after one that failed, for all callers. So this source does not fail: it remembers the error for the callers and
 * tries again five times a second while there are any. An outage costs the server little, every caller hears its reason, and a
 * server that is back is found at once.
 *
 * <p>Safe for many threads.
 */
final class PrimarySource implements DataSource {
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** How long HikariCP waits for an attempt in progress when it is closed: its connection would be of no use. */
    private static final int CLOSE_SECONDS = 1;

    private final Opener opener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();
    private volatile @Nullable Failure failure;
    private @Nullable Long lostAt;
    private boolean wanted;
    private boolean closed;

    /** Knows how a connection is opened. */
    @FunctionalInterface
    interface Opener {
        /** Opens a connection to a server that can write; throws if there is none. */
        Connection open() throws SQLException;
    }

    /** Why the latest attempt failed, and when. */
    private record Failure(SQLException why, long atNanos) {
        SQLException again() {
            return new SQLTransientConnectionException(why.getMessage(), why.getSQLState(), why);
        }
    }

    PrimarySource(Opener opener) {
        this.opener = opener;
    }

    /** Opens a connection, however long that takes; throws only after {@link #close}. */
    @Override
    public Connection getConnection() throws SQLException {
        long pause = FIRST_PAUSE_NANOS;
        Connection connection = attempt();
        while (connection == null) {
            awaitCaller(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            connection = attempt();
        }
        return connection;
    }

    private @Nullable Connection attempt() throws SQLException {
        Connection connection;
        try {
            connection = opener.open();
        } catch (SQLException e) {
            note(e);
            return null;
        }
        lock.lock();
        try {
            if (!closed) {
                failure = null;
                return connection;
            }
        } finally {
            lock.unlock();
        }
        try (connection) {
            throw closedError();
        }
    }

    private void note(SQLException e) {
        lock.lock();
        try {
            long now = System.nanoTime();
            failure = new Failure(e, now);
            wanted = false;
            if (PostgresErrors.endsSessions(e)) {
                lostAt = now;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is a caller, for the given time at least. */
    private void awaitCaller(long nanos) throws SQLException {
        lock.lock();
        try {
            long left = nanos;
            while (!closed && (left > 0 || !wanted)) {
                if (left > 0) {
                    left = change.awaitNanos(left);
                } else {
                    change.await();
                }
            }
            if (closed) {
                throw closedError();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while waiting for the server", e);
        } finally {
            lock.unlock();
        }
    }

    /** Has a server that is away tried again. */
    void want() {
        if (failure == null) {
            return;
        }
        lock.lock();
        try {
            if (!wanted) {
                wanted = true;
                change.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Notes that a connection was lost. */
    void lost() {
        lock.lock();
        try {
            lostAt = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a connection was lost, or could not be opened for want of a server, within the given time. */
    boolean lostWithin(Duration time) {
        lock.lock();
        try {
            return lostAt != null && System.nanoTime() - lostAt <= TimeUnit.NANOSECONDS.convert(time);
        } finally {
            lock.unlock();
        }
    }

    /** Returns why no connection could be opened; null if the latest attempt succeeded. */
    @Nullable
    SQLException failure() {
        Failure latest = failure;
        return latest == null ? null : latest.again();
    }

    /** Whether the latest attempt failed, and within the given time. Nobody tries while there is no caller. */
    boolean failedWithin(Duration time) {
        Failure latest = failure;
        return latest != null && System.nanoTime() - latest.atNanos() <= TimeUnit.NANOSECONDS.convert(time);
    }

    /** Returns the failure that an attempt met after the given time of {@link System#nanoTime}, or a moment before; null if none. */
    @Nullable
    SQLException failureSince(long nanoTime) {
        Failure latest = failure;
        return latest == null || latest.atNanos() - nanoTime < -LONGEST_PAUSE_NANOS ? null : latest.again();
    }

    /** Ends the attempts. Waits for none. */
    void close() {
        lock.lock();
        try {
            closed = true;
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static SQLException closedError() {
        return new SQLTransientConnectionException("the pool was closed");
    }

    @Override
    public int getLoginTimeout() {
        return CLOSE_SECONDS;
    }

    /** Does nothing: the URL says how long connecting may take, and HikariCP would have it be as short as a caller's wait. */
    @Override
    public void setLoginTimeout(int seconds) {
        Logs.of(PrimarySource.class).log(System.Logger.Level.DEBUG, "The URL's login timeout is kept.");
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the URL says who connects");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("there is no log of its own");
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("there is no log of its own");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps no " + type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
