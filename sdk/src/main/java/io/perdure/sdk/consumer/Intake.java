package io.perdure.sdk.consumer;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import io.perdure.sdk.retry.Backoff;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives for a consumer while there is room, with long polls, until it is closed. A store that fails, or a queue that is gone, is asked
 * again, at first soon, then every few seconds; only a closed engine ends it.
 */
final class Intake implements Runnable {
    private static final System.Logger LOG = Logs.of(Intake.class);
    private static final Limits.Queues LIMITS = Limits.defaults().queues();
    private static final Backoff AGAIN =
            Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5)).withJitter(0.2);

    /** Who makes room rings, and what is not rung for is seen then. */
    private static final Duration LOOK_WITHIN = Duration.ofSeconds(30);

    private final Environment environment;
    private final QueueBackend backend;
    private final ConsumeOptions options;
    private final Hands hands;
    private final Handlers handlers;
    private final Keeper keeper;
    private final Bell bell;
    private volatile boolean closed;

    private int failures;
    private @Nullable String lastFailure;

    Intake(QueueConsumer.Setup setup, Hands hands, Handlers handlers, Keeper keeper) {
        this.environment = setup.environment();
        this.backend = setup.backend();
        this.options = setup.options();
        this.hands = hands;
        this.handlers = handlers;
        this.keeper = keeper;
        this.bell = environment.bell();
    }

    /** There may be room now. */
    void roomMade() {
        bell.ring();
    }

    /** Asks for nothing more. What a request under way has leased goes back. */
    void close() {
        closed = true;
        backend.dismiss();
        bell.ring();
    }

    @Override
    public void run() {
        try {
            boolean open = true;
            while (open && !closed && !Thread.currentThread().isInterrupted()) {
                int room = hands.room();
                if (room == 0) {
                    bell.await(LOOK_WITHIN);
                } else {
                    open = receive(Math.min(room, LIMITS.receiveMessages()));
                }
            }
        } catch (InterruptedException e) {
            // Nobody of ours interrupts this thread: who does wants it to end. A receive only leaves the flag set.
            Thread.currentThread().interrupt();
        }
    }

    /** Receives once; false where the engine is closed. */
    private boolean receive(int max) throws InterruptedException {
        try {
            QueueSettings settings = backend.knownSettings();
            Duration lease = options.visibility() == null ? settings.visibility() : options.visibility();
            keeper.leasesLast(lease);
            Receiving receiving = new Receiving(max, lease, LIMITS.waitMax(), options.match());
            long asked = environment.nanoTime();
            Arrivals arrivals = backend.receive(receiving);
            long begun = asked + arrivals.waited().toNanos();
            take(arrivals.deliveries().stream()
                    .map(delivery -> new Hand(delivery, lease, settings, begun))
                    .toList());
            failures = 0;
            lastFailure = null;
            return true;
        } catch (PerdureException e) {
            return e.code() != ErrorCode.STORE_CLOSED && failed(e, e.code().code());
        } catch (RuntimeException | Error e) {
            // Whatever it is, the next receive may do better; without this thread there would be none.
            return failed(e, e.getClass().getName());
        }
    }

    private void take(List<Hand> received) {
        if (received.isEmpty()) {
            return;
        }
        if (hands.add(received)) {
            handlers.beginAll();
        } else {
            received.forEach(handlers::release);
        }
    }

    /** Waits a while before the next attempt. The same failure is logged once, until a receive succeeds. */
    private boolean failed(Throwable failure, String kind) throws InterruptedException {
        if (!kind.equals(lastFailure)) {
            LOG.log(
                    Level.WARNING,
                    "Queue \"" + backend.queue().name() + "\" could not be received from; it is tried again. "
                            + failure);
        }
        lastFailure = kind;
        failures++;
        pause(AGAIN.after(failures, environment.random()));
        return true;
    }

    private void pause(Duration length) throws InterruptedException {
        long deadline = environment.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0 && !closed; ) {
            bell.await(Duration.ofNanos(left));
            left = deadline - environment.nanoTime();
        }
    }
}
