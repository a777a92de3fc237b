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
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Receives for a consumer while there is room, with long polls, until it is closed. A store that fails, or a queue that is gone, is asked
 * again, at first soon, then every few seconds; only a closed engine ends it.
 *
 * <p>A second one helps while the queue has more messages than one receive brings and handlers are quick enough for them: then the next
 * receive is on its way before the previous one has ended. It is started when it is first of use, asks without waiting for messages, and
 * otherwise rests. The store leases the first message of a group only, so the order within groups is kept. A consumer that asks by content has
 * one only: its receives go on where the previous one stopped.
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

    /** The one that this one helps; absent for the first. */
    private final @Nullable Intake first;

    /** The one that helps this one; absent for the second, and where one receive at a time is all there may be. */
    private final @Nullable Intake second;

    /** Held while the second one is started, so that none is once this was closed. */
    private final ReentrantLock starting = new ReentrantLock();

    private volatile @Nullable Thread secondThread;
    private volatile boolean closed;

    /** Whether there is no thread for the second one. */
    private volatile boolean alone;

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
        this.first = null;
        this.second = options.match() == null ? new Intake(this) : null;
    }

    private Intake(Intake first) {
        this.environment = first.environment;
        this.backend = first.backend;
        this.options = first.options;
        this.hands = first.hands;
        this.handlers = first.handlers;
        this.keeper = first.keeper;
        this.bell = environment.bell();
        this.first = first;
        this.second = null;
    }

    /** Wakes the threads that receive, if there is room now. */
    void roomMade() {
        if (hands.isRoomLeft()) {
            bell.ring();
            callSecond();
        }
    }

    /** Asks for nothing more. What a request under way has leased goes back. */
    void close() {
        starting.lock();
        try {
            closed = true;
        } finally {
            starting.unlock();
        }
        if (second != null) {
            second.closed = true;
            second.bell.ring();
        }
        backend.dismiss();
        bell.ring();
    }

    /** Waits until the second one has ended too, once this one has. */
    void joinSecond() throws InterruptedException {
        Thread thread = secondThread;
        if (thread != null) {
            thread.join();
        }
    }

    @Override
    public void run() {
        try {
            boolean open = true;
            while (open && !closed && !Thread.currentThread().isInterrupted()) {
                int room = first != null && !hands.isMoreWanted() ? 0 : hands.ask(LIMITS.receiveMessages());
                if (room == 0) {
                    bell.await(LOOK_WITHIN);
                } else {
                    open = receive(room);
                    wakeFirst();
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
            take(leased(max), max);
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

    private List<Hand> leased(int max) {
        boolean answered = false;
        try {
            callSecond();
            QueueSettings settings = backend.knownSettings();
            Duration lease = options.visibility() == null ? settings.visibility() : options.visibility();
            keeper.leasesLast(lease);
            Duration waiting = first == null ? LIMITS.waitMax() : Duration.ZERO;
            Receiving receiving = new Receiving(max, lease, waiting, options.match());
            long asked = environment.nanoTime();
            Arrivals arrivals = backend.receive(receiving);
            long begun = asked + arrivals.waited().toNanos();
            List<Hand> leased = arrivals.deliveries().stream()
                    .map(delivery -> new Hand(delivery, lease, settings, begun))
                    .toList();
            answered = true;
            return leased;
        } finally {
            if (!answered) {
                hands.failed(max);
            }
        }
    }

    /** The first one may have rested because of what the second had asked for. */
    private void wakeFirst() {
        if (first != null) {
            first.bell.ring();
        }
    }

    /** Has the second one receive beside this one, if that is worth it. */
    private void callSecond() {
        if (second != null && !alone && hands.isMoreWanted()) {
            if (secondThread == null) {
                startSecond(second);
            }
            second.bell.ring();
        }
    }

    private void startSecond(Intake helper) {
        starting.lock();
        try {
            if (secondThread == null && !closed) {
                secondThread = environment.startApart("perdure-intake-2", helper);
            }
        } catch (RuntimeException | Error e) {
            alone = true;
            LOG.log(
                    Level.WARNING,
                    "No thread could be started for a second receive of queue \""
                            + backend.queue().name() + "\"; one at a time goes on.",
                    e);
        } finally {
            starting.unlock();
        }
    }

    private void take(List<Hand> received, int asked) {
        if (hands.add(received, asked, environment.nanoTime())) {
            handlers.beginAll();
        } else {
            received.forEach(handlers::release);
        }
    }

    /** Waits a while before the next attempt. The same failure is logged once, until a receive succeeds; the second one repeats the first. */
    private boolean failed(Throwable failure, String kind) throws InterruptedException {
        if (!kind.equals(lastFailure)) {
            LOG.log(
                    first != null ? Level.DEBUG : Level.WARNING,
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
