package io.perdure.server.http;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds how long the current thread reads from a connection or writes to it. The other side may say or take nothing more, and not go away either: when the
 * time is over the thread is interrupted, which closes the connection under it.
 */
public final class TransferDeadline implements AutoCloseable {
    private static final ScheduledThreadPoolExecutor CLOCK = clock();

    private final ReentrantLock lock = new ReentrantLock();
    private final Thread mover = Thread.currentThread();
    private final Future<?> end;
    private boolean over;

    private static ScheduledThreadPoolExecutor clock() {
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("perdure-server-deadlines").factory());
        // Nearly all are cancelled long before their time, and would be kept until then.
        clock.setRemoveOnCancelPolicy(true);
        return clock;
    }

    /** Begins now. */
    public TransferDeadline(Duration atMost) {
        this.end = CLOCK.schedule(this::interrupt, atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void interrupt() {
        lock.lock();
        try {
            if (!over) {
                mover.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The thread has read or written what it wanted; an interrupt that came too late to matter is taken back. */
    @Override
    public void close() {
        lock.lock();
        try {
            over = true;
            if (!end.cancel(false)) {
                boolean _ = Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }
}
