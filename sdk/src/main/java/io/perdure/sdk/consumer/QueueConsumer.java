package io.perdure.sdk.consumer;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.ConsumeOptions;
import io.perdure.sdk.queue.ConsumerFigures;
import io.perdure.sdk.queue.MessageHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Receives messages of a queue and has them handled, until it is closed. Two threads serve it, three while the queue has more messages than
 * one receive brings, besides one for each message that is handled: {@link Intake} receives in bulk, {@link Keeper} extends the leases of all that is in hand and interrupts handlers that take too
 * long. It outlives failures of the store, and a server that is away.
 */
public final class QueueConsumer implements AutoCloseable {
    /** How long the last answers may take once no handler is waited for: as long as the store is tried. */
    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(30);

    private final Setup setup;
    private final Consumer<QueueConsumer> whenClosed;
    private final Environment environment;
    private final Hands hands;
    private final Answers answers;
    private final Handlers handlers;
    private final Keeper keeper;
    private final Intake intake;
    private final Bell changed;
    private final Thread receiving;
    private final ReentrantLock closing = new ReentrantLock();
    private final ReentrantLock stopping = new ReentrantLock();
    private boolean stopped;
    private volatile long drainedBy;
    private boolean cutOff;
    private long endedBy;
    private boolean closed;

    /** What a consumer works with. */
    record Setup(
            QueueBackend backend,
            ConsumeOptions options,
            MessageHandler handler,
            Environment environment,
            Surroundings surroundings) {}

    private QueueConsumer(Setup setup, Consumer<QueueConsumer> whenClosed) {
        this.setup = setup;
        this.whenClosed = whenClosed;
        this.environment = setup.environment();
        this.changed = environment.bell();
        this.hands = new Hands(setup.options());
        this.answers = new Answers(setup.backend(), setup.environment());
        this.handlers = new Handlers(setup, hands, answers, this::changed);
        this.keeper = new Keeper(setup, hands, handlers);
        this.intake = new Intake(setup, hands, handlers, keeper);
        // Without a keeper nothing may be received, and without an owner neither of them may go on.
        environment.startApart("perdure-keeper", keeper);
        this.receiving = startIntake();
    }

    private Thread startIntake() {
        try {
            return environment.startApart("perdure-intake", intake);
        } catch (RuntimeException | Error e) {
            keeper.close();
            throw e;
        }
    }

    /** Starts to receive; whoever keeps it is told when it is closed. */
    static QueueConsumer start(Setup setup, Consumer<QueueConsumer> whenClosed) {
        return new QueueConsumer(setup, whenClosed);
    }

    private void changed() {
        intake.roomMade();
        changed.ring();
    }

    /** The queue that it consumes. */
    public QueueName queue() {
        return setup.backend().queue().name();
    }

    /** What it has done so far, and has in hand. */
    public ConsumerFigures figures() {
        return answers.figures(hands.count());
    }

    /**
     * Stops receiving at once and gives back what was not begun, as if it had not been delivered. Then it waits for the handlers as long as
     * {@link ConsumeOptions#drain} says, interrupts those that still run, and gives their messages back just so, unless they come to an end
     * of their own within a second. Returns when all of that is stored. Closing again does nothing but wait for the first to be done; a
     * handler that closes its own consumer would wait for itself.
     *
     * <p>Whoever is interrupted here does not wait for handlers any longer.
     */
    @Override
    public void close() {
        stop();
        closing.lock();
        try {
            if (!closed) {
                cutOff();
                finish();
                closed = true;
            }
        } finally {
            closing.unlock();
        }
        whenClosed.accept(this);
    }

    /** How long handlers have when this is closed. */
    Duration drain() {
        return setup.options().drain();
    }

    /** Begins to close: nothing more is received, and the time to drain runs. */
    void stop() {
        stopping.lock();
        try {
            if (stopped) {
                return;
            }
            stopped = true;
            // Converted, not toNanos(): centuries must not overflow.
            drainedBy = environment.nanoTime()
                    + TimeUnit.NANOSECONDS.convert(setup.options().drain());
            intake.close();
            hands.stop().forEach(handlers::release);
        } finally {
            stopping.unlock();
        }
    }

    /** How long the handlers still have before they are interrupted, once this was stopped. */
    long nanosToDrain() {
        return drainedBy - environment.nanoTime();
    }

    /** Waits for the handlers until the time to drain is over, and interrupts those that still run: they have their grace from now on. */
    void cutOff() {
        closing.lock();
        try {
            if (!cutOff) {
                cutOff = true;
                awaitDrained();
                hands.handled().forEach(Hand::cutOff);
                endedBy = environment.nanoTime() + Hand.GRACE.toNanos();
            }
        } finally {
            closing.unlock();
        }
    }

    private void awaitDrained() {
        try {
            // A receive that is under way may still bring messages, which are given back.
            receiving.join();
            intake.joinSecond();
            awaitHandlers(drainedBy);
        } catch (InterruptedException e) {
            // Seen again by whoever waits next: the grace is cut short, too.
            Thread.currentThread().interrupt();
        }
    }

    private void finish() {
        boolean interrupted = false;
        try {
            interrupted = awaitGrace();
            hands.handled().forEach(handlers::release);
            interrupted |= awaitSettled();
        } finally {
            keeper.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for handlers that were cut off; true if interrupted meanwhile. */
    private boolean awaitGrace() {
        try {
            awaitHandlers(endedBy);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Waits until no handler runs, or the time is over. */
    private void awaitHandlers(long deadline) throws InterruptedException {
        long left = deadline - environment.nanoTime();
        while (left > 0 && !hands.handled().isEmpty()) {
            changed.await(Duration.ofNanos(left));
            left = deadline - environment.nanoTime();
        }
    }

    /**
     * Waits until the store was told everything, or could not be, which the patience of whoever tells it bounds; true if interrupted meanwhile. Not for ever: steps that
     * compute and heed no interrupt may keep all virtual threads from running. Leases end by themselves.
     */
    private boolean awaitSettled() {
        boolean interrupted = false;
        long until = environment.nanoTime() + SETTLED_WITHIN.toNanos();
        while (hands.settlingNow() > 0 && environment.nanoTime() - until < 0) {
            try {
                changed.await(Hand.GRACE);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }

    @Override
    public String toString() {
        return "QueueConsumer[queue=%s, concurrency=%s]"
                .formatted(queue(), setup.options().concurrency());
    }
}
