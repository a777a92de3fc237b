package io.perdure.core.store;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches a store while somebody needs it, and only then: a store may have to poll for what other processes did. Safe for many
 * threads. Its lock is never taken by the listener.
 */
public final class SharedWatch {
    private final Store store;
    private final Consumer<Hint> listener;
    private final ReentrantLock lock = new ReentrantLock();
    private int needed;
    private Store.@Nullable Watch watch;

    /** A watch that nobody needs yet. */
    public SharedWatch(Store store, Consumer<Hint> listener) {
        this.store = store;
        this.listener = listener;
    }

    /** One more needs it; each is to {@link #leave} once. */
    public void join() {
        lock.lock();
        try {
            if (watch == null) {
                watch = store.watch(listener);
            }
            needed++;
        } finally {
            lock.unlock();
        }
    }

    /** One needs it no more. */
    public void leave() {
        lock.lock();
        try {
            needed--;
            if (needed == 0 && watch != null) {
                watch.close();
                watch = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
