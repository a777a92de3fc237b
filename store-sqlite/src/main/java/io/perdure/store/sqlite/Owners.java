package io.perdure.store.sqlite;

import io.perdure.core.store.Store.Ownership;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The store's hold on the {@link OwnerLock}: taken once, however often it is asked for. */
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
    private volatile @Nullable OwnerLock held;

    Owners(DatabaseFile file, Writer writer) {
        this.file = file;
        this.writer = writer;
    }

    Ownership own() {
        lock.lock();
        try {
            OwnerLock mine = held == null ? taken() : held;
            held = mine;
            return () -> release(mine);
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

    /** Lets go of a lock, unless another was taken since. */
    private void release(@Nullable OwnerLock mine) {
        lock.lock();
        try {
            if (mine != null && held == mine) {
                held = null;
                mine.close();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        release(held);
    }
}
