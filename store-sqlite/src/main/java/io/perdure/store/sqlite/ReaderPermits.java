package io.perdure.store.sqlite;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many threads read at once. Threads are admitted in the order of arrival, except that one permit is kept from virtual threads.
 *
 * <p>A virtual thread may get no carrier for as long as steps compute, and the engine's own threads, which belong to the operating system, must read
 * meanwhile. So a permit is assigned to the thread that is next, whether or not it runs: if free permits waited for a virtual thread to take one, as they
 * do in a fair semaphore, all others would wait behind it. And virtual threads that hold permits without running leave one.
 *
 * <p>Safe for many threads.
 */
final class ReaderPermits {
    private static final long LOOK_NANOS = 50_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Waiter> virtual = new ArrayDeque<>();
    private final Queue<Waiter> platform = new ArrayDeque<>();
    private int free;
    private int freeForVirtual;
    private long arrivals;

    private static final class Waiter {
        private final Thread thread = Thread.currentThread();
        private final long number;
        private volatile boolean admitted;

        Waiter(long number) {
            this.number = number;
        }
    }

    /** Creates permits for the given number of threads, at least two. */
    ReaderPermits(int most) {
        free = most;
        freeForVirtual = most - 1;
    }

    /** Waits until the calling thread is admitted, which calls {@link #release} in the end. Interrupting does not end the wait. */
    void acquire() {
        Waiter waiter = join();
        boolean interrupted = false;
        while (!waiter.admitted) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Waiter join() {
        lock();
        try {
            Waiter waiter = new Waiter(arrivals++);
            (waiter.thread.isVirtual() ? virtual : platform).add(waiter);
            admit();
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    /** Gives the permit of the calling thread back. */
    void release() {
        lock();
        try {
            count(Thread.currentThread(), 1);
            admit();
        } finally {
            lock.unlock();
        }
    }

    private void admit() {
        Waiter next = next();
        while (next != null) {
            (next.thread.isVirtual() ? virtual : platform).remove();
            count(next.thread, -1);
            next.admitted = true;
            LockSupport.unpark(next.thread);
            next = next();
        }
    }

    private void count(Thread reader, int permits) {
        free += permits;
        freeForVirtual += reader.isVirtual() ? permits : 0;
    }

    /** Returns the thread that came first, of those that there is a permit for; null if no thread can be admitted. */
    private @Nullable Waiter next() {
        Waiter first = free > 0 ? platform.peek() : null;
        Waiter other = free > 0 && freeForVirtual > 0 ? virtual.peek() : null;
        if (first == null || other == null) {
            return first == null ? other : first;
        }
        return first.number < other.number ? first : other;
    }

    /** Waits outside the line of the lock, in which a virtual thread that does not run would keep the others behind it. */
    private void lock() {
        while (!lock.tryLock()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
