package io.perdure.core.queue;

import io.perdure.core.store.QueueSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A message that a consumer has in hand, from its receipt until it is settled. Lets others interrupt its handler, and nothing but the
 * handler: once that has ended no interrupt of ours reaches what comes after it.
 */
final class Hand {
    private final Delivery delivery;
    private final Duration lease;
    private final Duration maxDelay;
    private final AtomicBoolean concluded = new AtomicBoolean();
    private volatile long confirmedNanos;
    private volatile boolean lost;
    private @Nullable Thread handler;
    private long begunNanos;
    private boolean cutOff;

    /** A message that was received just now, under the lease and the longest delay that its queue had then. */
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

    /** The longest delay with which it can be given back. */
    Duration maxDelay() {
        return maxDelay;
    }

    /** An extension that began then was confirmed. */
    void confirm(long nanos) {
        confirmedNanos = nanos;
    }

    /** Whether its lease cannot have run out yet. */
    boolean isFresh(long now) {
        return now - confirmedNanos < lease.toNanos();
    }

    void lose() {
        lost = true;
    }

    /** Whether its lease is worth extending: somebody may still say what became of the message. */
    boolean isHeld() {
        return !lost && isOpen() && !delivery.isSettled();
    }

    /** Whether nobody has concluded it yet. */
    boolean isOpen() {
        return !concluded.get();
    }

    /** Answers true once: to the one who may say what became of the message. */
    boolean conclude() {
        return concluded.compareAndSet(false, true);
    }

    /** The calling thread begins to handle it. */
    synchronized void begin(long nanos) {
        handler = Thread.currentThread();
        begunNanos = nanos;
        if (cutOff) {
            // Before it began, which it was about to.
            handler.interrupt();
        }
    }

    /** The handler has ended; answers whether it was cut off because the consumer is closed. */
    synchronized boolean end() {
        handler = null;
        // Ours where the handler did not notice, or its own: in neither case is it meant for what comes after it.
        Thread.interrupted();
        return cutOff;
    }

    /** How long its handler may go on, where it has begun; negative where it has taken too long. */
    synchronized long nanosLeft(Duration limit, long now) {
        return handler == null ? limit.toNanos() : begunNanos + limit.toNanos() - now;
    }

    /** Interrupts the handler because it has taken too long. */
    synchronized void interrupt() {
        if (handler != null) {
            handler.interrupt();
        }
    }

    /** Interrupts the handler because nobody waits for it any longer. */
    synchronized void cutOff() {
        cutOff = true;
        interrupt();
    }
}
