package io.perdure.server.http;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Counts the requests that wait for something to happen, each on its own virtual thread: only so many at once, and none once this is closed.
 * Those that wait then are woken by the engine: an interrupt could strike a call of the store, which may just have leased something for them.
 */
public final class Waiting implements AutoCloseable {
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private int count;
    private boolean closed;

    /** Lets so many wait at once. */
    public Waiting(int most) {
        this.most = most;
    }

    /**
     * Waits, at most so long: not at all where this is closed. {@code PD-605} where too many do already.
     *
     * @param wait waits as long as it is told
     */
    public <T> T await(Duration atMost, Function<Duration, T> wait) {
        if (atMost.isZero() || !enter()) {
            return wait.apply(Duration.ZERO);
        }
        try {
            return wait.apply(atMost);
        } finally {
            leave();
        }
    }

    private boolean enter() {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            if (count >= most) {
                throw new RefusedException(
                        ErrorCode.TOO_MANY_REQUESTS, "As many requests wait here as may, which is " + most + ".");
            }
            count++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            count--;
        } finally {
            lock.unlock();
        }
    }

    /** How many wait now. */
    public int count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Whether nobody is to wait any more, because the server is about to stop. */
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** No more wait from now on. Closing again does nothing. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }
}
