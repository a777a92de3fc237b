package io.perdure.core.workflow;

import io.perdure.sdk.environment.Environment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads runs that a commit made due, on a few threads of the operating system, which end when nothing waits. A virtual thread that gets no carrier,
 * because steps compute on all of them, would keep a connection of the store for as long. The number of reads that wait is bounded by the room that was
 * reserved for their runs. Safe for many threads.
 */
final class SignalledReads {
    static final int MOST_THREADS = 4;

    private final Environment environment;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int threads;

    SignalledReads(Environment environment) {
        this.environment = environment;
    }

    /** Has a read done soon, on another thread. If this throws, it is not done. */
    void submit(Runnable read) {
        lock.lock();
        try {
            waiting.add(read);
            if (threads < MOST_THREADS) {
                startFor(read);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock, so that no read is left to a thread that cannot be started. */
    private void startFor(Runnable read) {
        try {
            environment.startApart("perdure-signalled-runs", this::work);
            threads++;
        } catch (RuntimeException | Error e) {
            if (threads == 0) {
                waiting.remove(read);
                throw e;
            }
            // The threads that are there do it.
        }
    }

    private void work() {
        boolean ended = false;
        try {
            for (Runnable next = next(); next != null; next = next()) {
                next.run();
            }
            ended = true;
        } finally {
            if (!ended) {
                lock.lock();
                try {
                    threads--;
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    /** Null if nothing waits; the thread that asks ends then. */
    private @Nullable Runnable next() {
        lock.lock();
        try {
            Runnable next = waiting.poll();
            if (next == null) {
                threads--;
            }
            return next;
        } finally {
            lock.unlock();
        }
    }
}
