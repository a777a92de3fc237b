package io.perdure.server.http;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Holds the requests that wait for something to happen, each on its own virtual thread: only so many at once, and none once this is closed.
 * Then those that wait are interrupted, which the engine takes as the end of their time.
 */
public final class Waiting implements AutoCloseable {
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Thread> waiting = new HashSet<>();
    private boolean closed;

    /** Lets so many wait at once. */
    public Waiting(int most) {
        this.most = most;
    }

    /**
     * Waits, at most so long: not at all where this is closed. {@code PD-605} where too many do already.
     *
     * @param wait waits as long as it is told, or until its thread is interrupted, which is no error to it
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
            if (waiting.size() >= most) {
                throw new RefusedException(
                        ErrorCode.TOO_MANY_REQUESTS, "As many requests wait here as may, which is " + most + ".");
            }
            return waiting.add(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            waiting.remove(Thread.currentThread());
            if (closed) {
                // It was meant for the wait, not for the answer.
                boolean _ = Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many wait now. */
    public int count() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Whether nobody waits any more, because the server is about to stop. */
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waits, and those to come. Closing again does nothing. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            waiting.forEach(Thread::interrupt);
        } finally {
            lock.unlock();
        }
    }
}
