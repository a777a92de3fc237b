package io.perdure.server.http;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds how long the current thread reads from a connection, whose other side may say nothing more and not go away either: when the time is
 * over the thread is interrupted, which closes the connection under it.
 */
final class ReadDeadline implements AutoCloseable {
    private static final ScheduledThreadPoolExecutor CLOCK = clock();

    private final ReentrantLock lock = new ReentrantLock();
    private final Thread reader = Thread.currentThread();
    private final Future<?> end;
    private boolean over;

    private static ScheduledThreadPoolExecutor clock() {
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(
                1,
                Thread.ofPlatform()
                        .daemon()
                        .name("perdure-server-read-deadlines")
                        .factory());
        // Nearly all are cancelled long before their time, and would be kept until then.
        clock.setRemoveOnCancelPolicy(true);
        return clock;
    }

    ReadDeadline(Duration atMost) {
        this.end = CLOCK.schedule(this::interrupt, atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void interrupt() {
        lock.lock();
        try {
            if (!over) {
                reader.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The thread has read what it wanted; an interrupt that came too late to matter is taken back. */
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
