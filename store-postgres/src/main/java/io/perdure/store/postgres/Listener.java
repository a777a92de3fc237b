package io.perdure.store.postgres;

import io.perdure.core.store.Hint;
import io.perdure.core.store.rows.Watches;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.Logs;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells those who watch what other processes did, by a thread and over a connection of its own. There is neither before
 * somebody watches. When nobody does any more the connection is kept for a while, since receivers come and go; then it is
 * closed.
 *
 * <p>A connection that is lost is replaced, after delays that grow. Whatever was told meanwhile is lost: so with each new one
 * everybody is told that anything may have happened.
 */
final class Listener implements AutoCloseable {
    private static final Duration LINGER = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofDays(1);
    private static final Set<Hint> ANYTHING = Set.of(new Hint.Anything());

    private static final System.Logger LOG = Logs.of(Listener.class);

    private final Environment environment;
    private final Hearing hearing;
    private final Watches watches;
    private final OwnConnection own;
    private final Backoff backoff;
    private final Bell bell;
    private final Bell over;

    /** Guards the start of the thread. */
    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable Thread thread;
    private volatile boolean closed;

    Listener(Connections connections, Environment environment, Hearing hearing, Watches watches) {
        this.environment = environment;
        this.hearing = hearing;
        this.watches = watches;
        this.own = new OwnConnection(connections);
        this.backoff = new Backoff(environment);
        this.bell = environment.bell();
        this.over = environment.bell();
    }

    /** Says that somebody watches. */
    void wake() {
        lock.lock();
        try {
            if (thread == null && !closed) {
                thread = environment.startApart("perdure-listener", this::work);
            }
        } finally {
            lock.unlock();
        }
        bell.ring();
        hearing.wake();
    }

    private void work() {
        try {
            while (awaitWatch()) {
                listen();
            }
        } catch (InterruptedException e) {
            // Nobody of ours interrupts this thread: who does wants it to end.
            Thread.currentThread().interrupt();
        } finally {
            own.letGo();
        }
    }

    /** Whether somebody watches now; false where nobody will. */
    private boolean awaitWatch() throws InterruptedException {
        while (!closed && !watches.wanted()) {
            if (!bell.await(own.isOpen() ? LINGER : LONG)) {
                own.letGo();
            }
        }
        return !closed;
    }

    private void listen() throws InterruptedException {
        try {
            boolean begins = !own.isOpen();
            Connection connection = own.open();
            if (begins) {
                hearing.begin(connection);
                watches.accept(ANYTHING);
            }
            watches.accept(hearing.hear(connection));
            backoff.reset();
        } catch (SQLException | RuntimeException e) {
            own.letGo();
            if (!closed) {
                LOG.log(
                        backoff.isFresh() ? Level.WARNING : Level.DEBUG,
                        "Cannot hear what other processes do; it is tried again: " + e.getMessage());
                over.await(backoff.next());
            }
        }
    }

    /** Ends the thread, which may still be connecting: nobody waits for that. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        bell.ring();
        over.ring();
        hearing.wake();
        own.cut();
    }
}
