package io.perdure.server;

import io.perdure.core.Perdure;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.Logs;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Looks every few seconds whether the store answers, and logs when it is lost and when it is back: once each, however many requests fail
 * meanwhile. Safe for many threads.
 */
final class StoreWatch implements AutoCloseable {
    private static final System.Logger LOG = Logs.of(StoreWatch.class);
    static final Duration EVERY = Duration.ofSeconds(10);

    /** How old a look may be that is answered with: whoever asks for it needs no key, and must not cost the store more for asking more often. */
    static final Duration FRESH = Duration.ofSeconds(1);

    /** No request has it. It is looked for in vain, for the time alone may come from a clock that goes on without the store. */
    private static final UUID NOBODYS = new UUID(0, 0);

    private final Perdure engine;
    private final Environment environment;
    private final Bell bell;
    private final ReentrantLock looking = new ReentrantLock();
    private boolean looked;
    private boolean there;
    private long lookedNanos;
    private boolean lost;
    private long lostNanos;
    private volatile boolean closed;

    StoreWatch(Perdure engine, Environment environment) {
        this.engine = engine;
        this.environment = environment;
        this.bell = environment.bell();
    }

    void start() {
        environment.startApart("perdure-store-watch", this::keepLooking);
    }

    private void keepLooking() {
        try {
            while (!closed) {
                bell.await(EVERY);
                if (!closed) {
                    isThere();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the store answers, or did so a moment ago. Those who ask while somebody looks wait for what that one finds. */
    boolean isThere() {
        looking.lock();
        try {
            if (!looked || environment.nanoTime() - lookedNanos >= FRESH.toNanos()) {
                there = look();
                // After the look, which may be a long wait for nothing: all who came meanwhile are answered by it.
                lookedNanos = environment.nanoTime();
                looked = true;
            }
            return there;
        } finally {
            looking.unlock();
        }
    }

    private boolean look() {
        try {
            engine.now();
            engine.requests().find(NOBODYS);
            found();
            return true;
        } catch (PerdureException e) {
            missed(e);
            return false;
        }
    }

    private synchronized void missed(PerdureException why) {
        if (!closed) {
            LOG.log(lost ? Level.DEBUG : Level.WARNING, "The store cannot be reached.", why);
        }
        if (!lost) {
            lost = true;
            lostNanos = environment.nanoTime();
        }
    }

    private synchronized void found() {
        if (lost) {
            lost = false;
            long away = Duration.ofNanos(environment.nanoTime() - lostNanos).toSeconds();
            LOG.log(Level.INFO, "The store is back, after " + away + " s.");
        }
    }

    @Override
    public void close() {
        closed = true;
        bell.ring();
    }
}
