package io.perdure.client;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.wire.Hints;
import io.perdure.sdk.wire.Poll;
import io.perdure.sdk.worker.Backend;
import io.perdure.sdk.worker.Claim;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hears of what happens by asking again and again; the server answers when there is something to tell. After a poll that failed the worker is told
 * to look for itself, for hints may have been lost.
 */
final class RemoteWatch implements Backend.Watch, Runnable {
    private static final System.Logger LOG = Logs.of(RemoteWatch.class);
    private static final Duration WAIT = Duration.ofSeconds(25);
    /** How much longer than it may wait the server has for its answer. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** After a poll that was answered at once: under load there is always something to tell. A lone run does not wait for it. */
    private static final Duration SPACING = Duration.ofMillis(10);

    private static final long AT_ONCE_NANOS = Duration.ofMillis(3).toNanos();

    private static final Duration BREATH = Duration.ofMillis(250);
    private static final Duration LONGEST_BREATH = Duration.ofSeconds(5);

    private final Agreement agreement;
    private final Environment environment;
    private final List<Claim.Served> served;
    private final Backend.Listener listener;
    private volatile boolean closed;
    private Duration breath = BREATH;
    private @Nullable Thread thread;

    private RemoteWatch(
            Agreement agreement, Environment environment, List<Claim.Served> served, Backend.Listener listener) {
        this.agreement = agreement;
        this.environment = environment;
        this.served = served;
        this.listener = listener;
    }

    /** Begins to watch; throws where the server does not answer the first poll, which it does at once. */
    static RemoteWatch open(
            Agreement agreement, Environment environment, List<Claim.Served> served, Backend.Listener listener) {
        RemoteWatch watch = new RemoteWatch(agreement, environment, served, listener);
        // Not waiting: whoever opens this claims nothing before.
        watch.tell(watch.poll(Duration.ZERO));
        watch.thread = environment.startApart("perdure-hints", watch);
        return watch;
    }

    @Override
    public void run() {
        boolean missed = false;
        while (!closed && !Thread.currentThread().isInterrupted()) {
            try {
                long asked = environment.nanoTime();
                // What was told before may be lost with its answer: whoever missed one does not wait for the next.
                Hints hints = poll(missed ? Duration.ZERO : WAIT);
                tell(missed ? new Hints(true, hints.ended()) : hints);
                missed = false;
                breath = BREATH;
                if (environment.nanoTime() - asked < AT_ONCE_NANOS) {
                    rest(SPACING);
                }
            } catch (RuntimeException e) {
                missed = true;
                if (!closed) {
                    LOG.log(System.Logger.Level.WARNING, "The server gives no hints; it is asked again. " + e);
                    rest(breath.plusNanos(environment.random().nextLong(breath.toNanos())));
                    breath = breath.multipliedBy(2).compareTo(LONGEST_BREATH) < 0
                            ? breath.multipliedBy(2)
                            : LONGEST_BREATH;
                }
            }
        }
    }

    private Hints poll(Duration atMost) {
        return Hints.read(agreement.post("/watch", new Poll(served, atMost).json(), atMost.plus(GRACE)));
    }

    private void tell(Hints hints) {
        if (hints.due()) {
            listener.due();
        }
        hints.ended().forEach(listener::ended);
    }

    private void rest(Duration atMost) {
        try {
            environment.sleep(atMost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        Thread polling = thread;
        if (polling != null) {
            polling.interrupt();
        }
    }
}
