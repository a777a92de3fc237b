package io.perdure.store.postgres;

import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many connections each {@linkplain Share share} uses at once. Callers are admitted in the order of arrival, except that one whose share has no
 * room lets callers of other shares pass: a crowd in one share delays callers of another only by the few that its own share admits.
 *
 * <p>A permit is assigned to the caller that is next, whether or not its thread runs. A virtual thread may get no carrier for as long as steps compute; if
 * free permits waited for such a thread to take one, as they do in a fair semaphore, lanes and claims would wait behind it.
 *
 * <p>Safe for many threads.
 */
final class ConnectionPermits {
    /** The most callers that wait in one share: more than a process has reason for, few enough to fit into its memory. */
    static final int LONGEST = 10_000;

    private static final long LOOK_NANOS = 50_000;

    private final int connections;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Share, Line> lines = new EnumMap<>(Share.class);
    private long arrivals;
    private boolean open;

    /** The callers of one share. */
    private static final class Line {
        private final LinkedHashSet<Waiter> waiting = new LinkedHashSet<>();
        private int admitted;
    }

    private static final class Waiter {
        private final Thread thread = Thread.currentThread();
        private final long number;
        private volatile boolean admitted;

        Waiter(long number) {
            this.number = number;
        }
    }

    ConnectionPermits(int connections) {
        this.connections = connections;
        for (Share share : Share.values()) {
            lines.put(share, new Line());
        }
    }

    /** Returns whether the caller was admitted within the given time. It then calls {@link #release} in the end. */
    boolean acquire(Share share, Duration wait) throws InterruptedException {
        long began = System.nanoTime();
        long nanos = TimeUnit.NANOSECONDS.convert(wait);
        Waiter waiter = join(share);
        while (!waiter.admitted) {
            long left = nanos - (System.nanoTime() - began);
            boolean interrupted = Thread.interrupted();
            if (left > 0 && !interrupted) {
                LockSupport.parkNanos(this, left);
            } else if (leave(share, waiter)) {
                if (interrupted) {
                    throw new InterruptedException();
                }
                return false;
            } else if (interrupted) {
                Thread.currentThread().interrupt();
                return true;
            }
        }
        return true;
    }

    private Waiter join(Share share) {
        lock();
        try {
            Waiter waiter = new Waiter(arrivals++);
            line(share).waiting.add(waiter);
            admit();
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    /** Returns false if the caller was admitted meanwhile. */
    private boolean leave(Share share, Waiter waiter) {
        lock();
        try {
            return line(share).waiting.remove(waiter);
        } finally {
            lock.unlock();
        }
    }

    /** Gives the permit of one caller back. */
    void release(Share share) {
        lock();
        try {
            line(share).admitted--;
            admit();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of callers that wait for a permit of this share. */
    int waiting(Share share) {
        lock();
        try {
            return line(share).waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Admits all callers, which then find the pool closed. */
    void open() {
        lock();
        try {
            open = true;
            admit();
        } finally {
            lock.unlock();
        }
    }

    private void admit() {
        Line next = next();
        while (next != null) {
            Waiter waiter = next.waiting.removeFirst();
            next.admitted++;
            waiter.admitted = true;
            LockSupport.unpark(waiter.thread);
            next = next();
        }
    }

    /** Returns the line whose first caller came first, of those that have room; null if none has both. */
    private @Nullable Line next() {
        Line next = null;
        for (Share share : Share.values()) {
            Line line = line(share);
            if (!line.waiting.isEmpty()
                    && hasRoom(share)
                    && (next == null || line.waiting.getFirst().number < next.waiting.getFirst().number)) {
                next = line;
            }
        }
        return next;
    }

    private boolean hasRoom(Share share) {
        if (open) {
            return true;
        }
        int ofCallers = line(Share.READS).admitted + line(Share.CALLS).admitted;
        int all = ofCallers + line(Share.FLUSHES).admitted + line(Share.CLAIMS).admitted;
        return all < connections
                && line(share).admitted < share.most(connections)
                && (!share.isOfCallers() || ofCallers < Share.ofCallers(connections));
    }

    private Line line(Share share) {
        Line line = lines.get(share);
        if (line == null) {
            throw new IllegalStateException("no callers of " + share);
        }
        return line;
    }

    /** Waits outside the line of the lock, in which a virtual thread that does not run would keep the others behind it. */
    private void lock() {
        while (!lock.tryLock()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
