package io.perdure.client;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.Logs;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Runs the requests that callers share, on threads of the operating system: they go out while steps that compute keep every carrier of virtual threads busy. A
 * thread that has nothing to do ends, except for {@link #KEPT} that wait for the next request until this is closed.
 *
 * <p>At most {@link #APART} such threads exist. What comes beyond that gets a virtual thread as well, and runs on whichever is free first. Safe for many threads.
 */
final class RequestThreads implements AutoCloseable {
    /** The most threads of the operating system. */
    static final int APART = 64;

    /** As many requests as go to one queue at once. */
    private static final int KEPT = 8;

    private static final String NAME = "perdure-requests";
    private static final System.Logger LOG = Logs.of(RequestThreads.class);

    private final Environment environment;
    /** What no thread has taken yet; threads that are kept wait here. */
    private final LinkedTransferQueue<Runnable> waiting = new LinkedTransferQueue<>();

    private final Semaphore apart = new Semaphore(APART);
    private final Semaphore kept = new Semaphore(KEPT);
    private volatile boolean closed;

    RequestThreads(Environment environment) {
        this.environment = environment;
    }

    /** Runs the task soon. If this throws, nothing runs it. */
    void start(Runnable task) {
        if (waiting.tryTransfer(task) || startsApart(task)) {
            return;
        }
        waiting.put(task);
        try {
            environment.start(NAME, this::workOff);
        } catch (RuntimeException | Error e) {
            if (waiting.remove(task)) {
                throw e;
            }
            // Another thread has taken it.
        }
    }

    private boolean startsApart(Runnable task) {
        if (!apart.tryAcquire()) {
            return false;
        }
        try {
            environment.startApart(NAME, () -> work(task));
            return true;
        } catch (RuntimeException | Error e) {
            apart.release();
            LOG.log(System.Logger.Level.DEBUG, "A request gets a virtual thread, for no other could be started.", e);
            return false;
        }
    }

    private void work(Runnable first) {
        try {
            for (Runnable task = first; task != null; task = next()) {
                task.run();
            }
        } finally {
            apart.release();
        }
    }

    private void workOff() {
        for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
            task.run();
        }
    }

    private @Nullable Runnable next() {
        Runnable task = waiting.poll();
        if (task != null || closed || !kept.tryAcquire()) {
            return task;
        }
        try {
            return waiting.take();
        } catch (InterruptedException _) {
            // Nobody has a reason to. The thread ends, and the next request starts another one.
            return null;
        } finally {
            kept.release();
        }
    }

    /** Lets the threads end that wait for a request. What is in progress goes on, and what comes still runs. */
    @Override
    public void close() {
        closed = true;
        for (int i = 0; i < KEPT; i++) {
            // Left there, for a thread that has just looked whether this is closed.
            waiting.put(() -> {});
        }
    }
}
