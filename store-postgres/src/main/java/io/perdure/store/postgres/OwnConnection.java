package io.perdure.store.postgres;

import io.perdure.sdk.logging.Logs;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connection that one thread keeps for itself, outside of the pool. It is opened when it is first needed, again after it was
 * let go, and can be cut by another thread while this one waits for the server.
 */
final class OwnConnection {
    private final Connections connections;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Connection connection;
    private boolean cut;

    OwnConnection(Connections connections) {
        this.connections = connections;
    }

    boolean isOpen() {
        lock.lock();
        try {
            return connection != null;
        } finally {
            lock.unlock();
        }
    }

    /** The connection; a new one where there is none. Throws {@code PD-208} where it cannot be had. */
    Connection open() throws SQLException {
        lock.lock();
        try {
            if (connection != null) {
                return connection;
            }
        } finally {
            lock.unlock();
        }
        Connection opened = connections.dedicated();
        lock.lock();
        try {
            if (!cut) {
                connection = opened;
                return opened;
            }
        } finally {
            lock.unlock();
        }
        try (opened) {
            throw new SQLException("The store was closed.");
        }
    }

    /** Closes it, in whatever state it is. */
    void letGo() {
        Connection old = taken();
        if (old != null) {
            try {
                old.close();
            } catch (SQLException e) {
                // It was lost, or is now.
                Logs.of(OwnConnection.class).log(System.Logger.Level.DEBUG, "A connection ended badly.", e);
            }
        }
    }

    /** Ends it for good under the hands of its thread, whose call then fails. */
    void cut() {
        lock.lock();
        try {
            cut = true;
        } finally {
            lock.unlock();
        }
        Connection old = taken();
        if (old != null) {
            try {
                // Not close(): that would wait for the call that is under way.
                old.abort(Runnable::run);
            } catch (SQLException e) {
                Logs.of(OwnConnection.class).log(System.Logger.Level.DEBUG, "A connection ended badly.", e);
            }
        }
    }

    private @Nullable Connection taken() {
        lock.lock();
        try {
            Connection old = connection;
            connection = null;
            return old;
        } finally {
            lock.unlock();
        }
    }
}
