package io.perdure.store.sqlite;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The connections that read beside the writer: a few, opened when they are first wanted. A read runs on its caller's thread,
 * because handing it to another would cost more than most reads do.
 */
final class Readers implements AutoCloseable {
    /** More would only wait for each other's pages. */
    private static final int MOST = 4;

    private final Supplier<Session> opener;
    private final ReaderPermits permits = new ReaderPermits(MOST);
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Session> idle = new ArrayDeque<>();
    private boolean closed;

    Readers(Supplier<Session> opener) {
        this.opener = opener;
    }

    /** Reads with a single statement. */
    <T> T read(Function<Session, T> read) {
        permits.acquire();
        try {
            Session session = take();
            try {
                return read.apply(session);
            } finally {
                giveBack(session);
            }
        } finally {
            permits.release();
        }
    }

    /** Reads with several statements that all see the same moment. */
    <T> T snapshot(Function<Session, T> read) {
        return read(session -> {
            session.execute("BEGIN");
            T answer;
            try {
                answer = read.apply(session);
            } catch (RuntimeException | Error e) {
                // Also when memory runs out: a session that is given back within a transaction is of no use.
                rollBack(session, e);
                throw e;
            }
            session.execute("ROLLBACK");
            return answer;
        });
    }

    /** After some errors SQLite has done it on its own, and says so; what counts is the error before. */
    private static void rollBack(Session session, Throwable because) {
        try {
            session.execute("ROLLBACK");
        } catch (StoreException e) {
            because.addSuppressed(e);
        }
    }

    private Session take() {
        lock.lock();
        try {
            if (closed) {
                throw new StoreException(ErrorCode.STORE_CLOSED, "The SQLite store was closed.");
            }
            Session session = idle.poll();
            if (session != null) {
                return session;
            }
        } finally {
            lock.unlock();
        }
        return opener.get();
    }

    /** A session that a statement failed on is not trusted again. */
    private void giveBack(Session session) {
        lock.lock();
        try {
            if (!closed && !session.hasFailed()) {
                idle.push(session);
                return;
            }
        } finally {
            lock.unlock();
        }
        session.close();
    }

    /** Closes what is idle; what is in use is closed when it is given back. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            idle.forEach(Session::close);
            idle.clear();
        } finally {
            lock.unlock();
        }
    }
}
