package io.perdure.client;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.Logs;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** Ends the thread that takes it, and stays for the next one. At most one of them exists. */
    private static final Runnable END = () -> {};

    private static final System.Logger LOG = Logs.of(RequestThreads.class);

    private final Environment environment;
    /** What no thread has taken yet; threads that are kept wait here. */
    private final LinkedTransferQueue<Runnable> waiting = new LinkedTransferQueue<>();

    private final Semaphore apart = new Semaphore(APART);
    private final Semaphore kept = new Semaphore(KEPT);
    private final AtomicBoolean closed = new AtomicBoolean();

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
        for (Runnable task = poll(); task != null; task = poll()) {
            task.run();
        }
    }

    private @Nullable Runnable next() {
        Runnable task = poll();
        if (task != null || closed.get() || !kept.tryAcquire()) {
            return task;
        }
        try {
            return unlessEnd(waiting.take());
        } catch (InterruptedException _) {
            // No code interrupts these threads. This one ends, and the next request starts another one.
            return null;
        } finally {
            kept.release();
        }
    }

    /** Returns a task without waiting for one; null if there is none. */
    private @Nullable Runnable poll() {
        Runnable task = waiting.poll();
        if (!END.equals(task)) {
            return task;
        }
        Runnable behind = waiting.poll();
        waiting.put(END);
        return behind;
    }

    private @Nullable Runnable unlessEnd(Runnable task) {
        if (!END.equals(task)) {
            return task;
        }
        waiting.put(END);
        return null;
    }

    /** Lets the threads end that wait for a request. Requests in progress go on, and later ones still run. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            waiting.put(END);
        }
    }
}
