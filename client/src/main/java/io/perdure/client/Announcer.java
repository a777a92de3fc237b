package io.perdure.client;

import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.wire.Presence;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Tells the server again and again that the worker is alive and what it serves, and in the end that it is gone. */
final class Announcer implements AutoCloseable, Runnable {
    private static final System.Logger LOG = Logs.of(Announcer.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** After an announcement that did not get through. */
    private static final Duration AGAIN = Duration.ofSeconds(2);

    private final Agreement agreement;
    private final Environment environment;
    private final Presence presence;
    private final Duration every;
    private final Bell bell;
    private volatile boolean closed;
    /** Written before the thread begins. */
    private boolean announced;

    private @Nullable Thread thread;

    Announcer(Agreement agreement, Environment environment, Presence presence, Duration every) {
        this.agreement = agreement;
        this.environment = environment;
        this.presence = presence;
        this.every = every;
        this.bell = environment.bell();
    }

    /**
     * Begins. Where the server is there, it has been told once when this returns: a run whose start asks for the newest version that is served finds this
     * worker's.
     */
    void start(boolean there) {
        announced = there && announce();
        thread = environment.startApart("perdure-announcements", this);
    }

    @Override
    public void run() {
        try {
            if (announced) {
                bell.await(every);
            }
            while (!closed) {
                bell.await(announce() ? every : AGAIN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean announce() {
        try {
            agreement.post("/announce", presence.json(), TIMEOUT);
            return true;
        } catch (PerdureException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The server could not be told that this worker is there. " + e.getMessage());
            return false;
        }
    }

    /** Says that the worker is gone, where the server can still be told; else it is taken to be alive for a while. */
    @Override
    public void close() {
        closed = true;
        bell.ring();
        try {
            if (thread != null) {
                thread.join();
            }
            agreement.post(
                    "/withdraw",
                    JsonObject.builder()
                            .put("worker", presence.worker().toString())
                            .build(),
                    TIMEOUT);
        } catch (PerdureException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The server could not be told that this worker is gone. " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
