package io.perdure.store.sqlite;

import io.perdure.core.store.Store.Ownership;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The store's hold on the {@link OwnerLock}: taken with the first ownership, let go with the last. Workers of several tenants share it, and each lets go
 * when its own steps are done.
 */
final class Owners implements AutoCloseable {
    /**
     * Ends the leases of runs that an owner held itself, which only a dead one can have left. Leases of remote workers stay: a
     * worker outlives its server and goes on extending through the next one. Tokens stay, so that the next claim counts the
     * leases as run out: a run that brings its process down again and again is parked in the end.
     */
    private static final String FREE_LEASES =
            "UPDATE run_message SET ready_at = ?1 WHERE token <> zeroblob(16) AND remote = 0 AND ready_at > ?1";

    private final ReentrantLock lock = new ReentrantLock();
    private final DatabaseFile file;
    private final Writer writer;
    private @Nullable OwnerLock held;
    /** The number of ownerships that are not closed; zero if the lock is not held. */
    private int holders;

    Owners(DatabaseFile file, Writer writer) {
        this.file = file;
        this.writer = writer;
    }

    Ownership own() {
        lock.lock();
        try {
            OwnerLock mine = held == null ? taken() : held;
            held = mine;
            holders++;
            AtomicBoolean ended = new AtomicBoolean();
            return () -> {
                if (ended.compareAndSet(false, true)) {
                    release(mine);
                }
            };
        } finally {
            lock.unlock();
        }
    }

    private OwnerLock taken() {
        OwnerLock taken = OwnerLock.take(file);
        try {
            writer.write(transaction -> transaction.session.update(FREE_LEASES, transaction.now()));
            return taken;
        } catch (RuntimeException e) {
            taken.close();
            throw e;
        }
    }

    /** Ends one hold on a lock, unless the store was closed since. */
    private void release(OwnerLock mine) {
        lock.lock();
        try {
            if (held == mine && --holders == 0) {
                held = null;
                mine.close();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets go of the lock, also while ownerships are open. */
    @Override
    public void close() {
        lock.lock();
        try {
            OwnerLock mine = held;
            held = null;
            holders = 0;
            if (mine != null) {
                mine.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
