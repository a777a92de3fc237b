package io.perdure.server;

import io.perdure.core.Perdure;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.Logs;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Looks every few seconds whether the store answers, and logs when it is lost and when it is back: once each, however many requests fail
 * meanwhile.
 */
final class StoreWatch implements AutoCloseable {
    private static final System.Logger LOG = Logs.of(StoreWatch.class);
    static final Duration EVERY = Duration.ofSeconds(10);

    private final Perdure engine;
    private final Environment environment;
    private final Bell bell;
    private boolean lost;
    private long lostNanos;
    private volatile boolean closed;

    StoreWatch(Perdure engine, Environment environment) {
        this.engine = engine;
        this.environment = environment;
        this.bell = environment.bell();
    }

    void start() {
        environment.start("perdure-store-watch", this::keepLooking);
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

    /** Whether the store answers now. */
    boolean isThere() {
        try {
            engine.now();
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
