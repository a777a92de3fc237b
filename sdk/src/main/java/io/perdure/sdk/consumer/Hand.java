package io.perdure.sdk.consumer;

import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.QueueSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A message that a consumer has in hand, from its receipt until it is settled. Lets others interrupt its handler, and nothing but the
 * handler: once that has ended no interrupt of ours reaches what comes after it.
 */
final class Hand {
    /** How long a handler has to end once it was interrupted. */
    static final Duration GRACE = Duration.ofSeconds(1);

    private final Delivery delivery;
    private final Duration lease;
    private final Duration maxDelay;
    private final AtomicBoolean concluded = new AtomicBoolean();
    private volatile long confirmedNanos;
    private volatile boolean lost;
    private long arrivedNanos;
    private boolean last;
    private boolean full;
    private @Nullable Thread handler;
    private long begunNanos;
    private long interruptedNanos;
    private Stop stop = Stop.NONE;

    /** Why a handler was interrupted by us. */
    enum Stop {
        NONE,
        /** It has taken too long. */
        OVERDUE,
        /** The consumer is closed, and nobody waits for it any longer. */
        CLOSED
    }

    /** A message that a look has leased which began then, under the lease and the longest delay that its queue had. */
    Hand(Delivery delivery, Duration lease, QueueSettings settings, long nanos) {
        this.delivery = delivery;
        this.lease = lease;
        this.maxDelay = settings.maxDelay();
        this.confirmedNanos = nanos;
    }

    Delivery delivery() {
        return delivery;
    }

    Duration lease() {
        return lease;
    }

    /** The longest delay with which it could be given back when it was received. */
    Duration maxDelay() {
        return maxDelay;
    }

    /** Notes when a receive has brought it. Called once, before other threads see it. */
    void arrived(long nanos) {
        arrivedNanos = nanos;
    }

    /** Notes that it is the last message of its receive, and whether that brought as many as it had asked for. */
    void endsReceive(boolean broughtAll) {
        last = true;
        full = broughtAll;
    }

    /** Tells the prefetch how long it has waited for its handler, which begins now, if it is the last message of its receive. */
    void tell(Prefetch prefetch, long now) {
        if (last) {
            prefetch.lastBegins(arrivedNanos, full, now);
        }
    }

    /** Returns when a receive has brought it. */
    long arrivedNanos() {
        return arrivedNanos;
    }

    /** An extension that began then was confirmed. */
    void confirm(long nanos) {
        confirmedNanos = nanos;
    }

    /** Whether its lease cannot have run out yet. */
    boolean isFresh(long now) {
        return now - confirmedNanos < lease.toNanos();
    }

    /** It is somebody else's now, or may become so: its lease is not extended any more. */
    void lose() {
        lost = true;
    }

    /** Whether its lease is worth extending: the store was not told yet what became of the message. */
    boolean isHeld() {
        return !lost && !delivery.isSettled();
    }

    /** Whether nobody has concluded it yet. */
    boolean isOpen() {
        return !concluded.get();
    }

    /** Answers true once: to the one who may say what became of the message. */
    boolean conclude() {
        return concluded.compareAndSet(false, true);
    }

    /** The calling thread begins to handle it; false where it must not, because it was cut off or given back before. */
    synchronized boolean begin(long nanos) {
        if (stop != Stop.NONE || !isOpen()) {
            return false;
        }
        handler = Thread.currentThread();
        begunNanos = nanos;
        return true;
    }

    /** The handler has ended; answers why it was interrupted. */
    synchronized Stop end() {
        handler = null;
        // Ours where the handler did not notice, or its own: in neither case is it meant for what comes after it.
        Thread.interrupted();
        return stop;
    }

    /**
     * How long its handler may go on, where it has begun: until it has taken too long, then until the grace is over in which it may end
     * once it was interrupted for that. Not positive where that time is over.
     */
    synchronized long nanosLeft(Duration limit, long now) {
        if (handler == null) {
            return limit.toNanos();
        }
        return switch (stop) {
            case NONE -> begunNanos + limit.toNanos() - now;
            case OVERDUE -> interruptedNanos + GRACE.toNanos() - now;
            // Whoever closes the consumer waits for it.
            case CLOSED -> limit.toNanos();
        };
    }

    /** Whether its handler goes on though it was interrupted for having taken too long, and had its grace. */
    synchronized boolean isStuck(long now) {
        return handler != null && stop == Stop.OVERDUE && interruptedNanos + GRACE.toNanos() - now <= 0;
    }

    /** Interrupts the handler because it has taken too long; false where it was interrupted before, or has ended. */
    synchronized boolean interrupt(long now) {
        if (handler == null || stop != Stop.NONE) {
            return false;
        }
        stop = Stop.OVERDUE;
        interruptedNanos = now;
        handler.interrupt();
        return true;
    }

    /** Interrupts the handler because nobody waits for it any longer; one that has not begun does not. */
    synchronized void cutOff() {
        if (stop == Stop.NONE) {
            stop = Stop.CLOSED;
        }
        if (handler != null) {
            handler.interrupt();
        }
    }
}
