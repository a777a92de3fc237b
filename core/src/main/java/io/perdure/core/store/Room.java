package io.perdure.core.store;

import io.perdure.sdk.Limits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts what was handed over and not yet answered, and makes callers wait while that is too much. While there is room,
 * entering is one swap of one number that holds both counts. Once somebody waits, everybody who comes queues behind, and
 * whoever leaves lets in as many from the front as fit: first come, first served, so that a large commit is not passed by
 * small ones for ever.
 */
final class Room {
    /** How many commits can be counted. */
    static final int MOST_COMMITS = (1 << 22) - 1;

    private static final int BYTE_BITS = 40;
    private static final long MOST_BYTES = (1L << BYTE_BITS) - 1;

    private final int commitLimit;
    private final long byteLimit;
    /** Commits in the high bits, bytes in the low ones: one swap changes both. */
    private final AtomicLong used = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    /** Written under the lock; read outside to know whether the lock is needed. */
    private volatile boolean crowded;

    private volatile boolean closed;

    private static final class Waiter {
        final Thread thread = Thread.currentThread();
        final long bytes;
        volatile boolean admitted;

        Waiter(long bytes) {
            this.bytes = bytes;
        }
    }

    Room(Limits.Ledger limits) {
        commitLimit = limits.waitingCommits();
        byteLimit = limits.waitingBytes();
    }

    /** Takes room for one commit, waiting while there is none; false where the room was closed first. */
    boolean enter(long bytes) {
        if (closed) {
            return false;
        }
        if (!crowded && take(bytes)) {
            return true;
        }
        return queue(bytes);
    }

    /** Gives back the room of so many commits. */
    void leave(int commits, long bytes) {
        used.addAndGet(-packed(commits, bytes));
        if (crowded) {
            lock.lock();
            try {
                admit();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Sends away all who wait and all who come. */
    void close() {
        lock.lock();
        try {
            closed = true;
            waiters.forEach(waiter -> LockSupport.unpark(waiter.thread));
            waiters.clear();
            crowded = false;
        } finally {
            lock.unlock();
        }
    }

    long commits() {
        return used.get() >>> BYTE_BITS;
    }

    long bytes() {
        return used.get() & MOST_BYTES;
    }

    /** How many callers wait to enter. */
    int queued() {
        lock.lock();
        try {
            return waiters.size();
        } finally {
            lock.unlock();
        }
    }

    private boolean take(long bytes) {
        while (true) {
            long before = used.get();
            long commits = (before >>> BYTE_BITS) + 1;
            boolean fits = commits <= commitLimit && (before & MOST_BYTES) + bytes <= byteLimit;
            if (!fits && before != 0) {
                return false;
            }
            if (used.compareAndSet(before, before + packed(1, bytes))) {
                return true;
            }
        }
    }

    private boolean queue(long bytes) {
        Waiter waiter = new Waiter(bytes);
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            waiters.addLast(waiter);
            // Said before looking once more: who leaves from now on sees it, who left before made the room looked for.
            crowded = true;
            admit();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (!waiter.admitted && !closed) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return waiter.admitted;
    }

    /** Lets in those at the front who fit; the caller holds the lock. */
    private void admit() {
        while (!waiters.isEmpty() && take(waiters.getFirst().bytes)) {
            Waiter waiter = waiters.removeFirst();
            waiter.admitted = true;
            LockSupport.unpark(waiter.thread);
        }
        crowded = !waiters.isEmpty();
    }

    /** Bytes never run over into commits: what waits is below 2 GiB, and a commit has at most 1,000 values of 1 MiB. */
    private static long packed(int commits, long bytes) {
        return ((long) commits << BYTE_BITS) + bytes;
    }
}
