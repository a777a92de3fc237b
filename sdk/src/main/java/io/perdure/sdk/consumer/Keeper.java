package io.perdure.sdk.consumer;

import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.queue.ExtendedLeases;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps the leases of everything that a consumer has in hand, in bulk, three times in the length of one; and sees to it that no handler
 * takes longer than it may. Messages that an adaptive prefetch has received, and that handlers have become too slow for, are given back
 * instead of extended. On a thread of the operating system, so that handlers which never wait cannot hold it up.
 */
final class Keeper implements Runnable {
    private static final System.Logger LOG = Logs.of(Keeper.class);

    /** A lease is extended so many times in its length. */
    private static final int TIMES = 3;

    /** After an extension that failed: the leases run. */
    private static final Duration AGAIN = Duration.ofMillis(200);

    /** No lease is so short that it is worth more haste. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final QueueBackend backend;
    private final Environment environment;
    private final Duration handlerLimit;
    private final int perCall = Limits.defaults().calls().pageRows();
    private final Hands hands;
    private final Handlers handlers;
    private final Bell bell;
    private volatile boolean closed;
    private volatile Duration every;
    private boolean failing;

    Keeper(QueueConsumer.Setup setup, Hands hands, Handlers handlers) {
        this.backend = setup.backend();
        this.environment = setup.environment();
        this.handlerLimit = setup.options().handlerLimit();
        this.hands = hands;
        this.handlers = handlers;
        this.bell = environment.bell();
        this.every = third(Limits.defaults().queues().visibilityDefault());
    }

    private static Duration third(Duration lease) {
        Duration third = lease.dividedBy(TIMES);
        return third.compareTo(SHORTEST) < 0 ? SHORTEST : third;
    }

    /** What is received from now on is leased for so long. */
    void leasesLast(Duration lease) {
        Duration third = third(lease);
        if (!third.equals(every)) {
            every = third;
            bell.ring();
        }
    }

    void close() {
        closed = true;
        bell.ring();
    }

    @Override
    public void run() {
        try {
            long extendedNanos = environment.nanoTime();
            while (!closed) {
                bell.await(Duration.ofNanos(Math.max(0, nanosToRest(extendedNanos))));
                long now = environment.nanoTime();
                boolean extend = now - extendedNanos >= pace();
                if (!closed) {
                    tend(extend);
                }
                extendedNanos = extend ? now : extendedNanos;
            }
        } catch (InterruptedException e) {
            // Nobody of ours interrupts this thread: who does wants it to end.
            Thread.currentThread().interrupt();
        }
    }

    /** A third of the shortest lease: what is in hand may have been received under other settings. */
    private long pace() {
        long shortest = hands.all().stream()
                .mapToLong(hand -> third(hand.lease()).toNanos())
                .min()
                .orElse(Long.MAX_VALUE);
        return Math.min(failing ? AGAIN.toNanos() : every.toNanos(), shortest);
    }

    /** Until the next extension, or until a handler has taken too long, or longer still; one that begins meanwhile has more time than this. */
    private long nanosToRest(long extendedNanos) {
        long now = environment.nanoTime();
        long untilOverdue = hands.handled().stream()
                .filter(Hand::isOpen)
                .mapToLong(hand -> hand.nanosLeft(handlerLimit, now))
                .min()
                .orElse(handlerLimit.toNanos());
        return Math.min(untilOverdue, extendedNanos + pace() - now);
    }

    private void interruptOverdue() {
        long now = environment.nanoTime();
        hands.handled().stream()
                .filter(hand -> hand.isOpen() && hand.nanosLeft(handlerLimit, now) <= 0)
                .forEach(handlers::overdue);
    }

    private void tend(boolean extend) {
        try {
            interruptOverdue();
            if (extend) {
                // Rather than to keep them from other consumers, lease after lease.
                hands.surplus(environment.nanoTime()).forEach(handlers::release);
                extendAll();
                failing = false;
            }
        } catch (RuntimeException | Error e) {
            // Without this thread every lease would end.
            if (!failing && !closed) {
                LOG.log(
                        Level.WARNING,
                        "Leases of queue \"" + backend.queue().name() + "\" could not be extended; it is tried again. "
                                + e);
            }
            failing = true;
        }
    }

    /** Those of one length together: what is in hand may have been received under other settings. */
    private void extendAll() {
        Map<Duration, List<Hand>> held =
                hands.all().stream().filter(Hand::isHeld).collect(Collectors.groupingBy(Hand::lease));
        held.forEach((length, some) -> {
            for (int from = 0; from < some.size(); from += perCall) {
                extend(some.subList(from, Math.min(some.size(), from + perCall)), length);
            }
        });
    }

    private void extend(List<Hand> some, Duration length) {
        long begun = environment.nanoTime();
        ExtendedLeases extended = backend.extend(
                some.stream().map(hand -> hand.delivery().receipt()).toList(), length);
        Set<Receipt> late = Set.copyOf(extended.late());
        for (Hand hand : some) {
            if (late.contains(hand.delivery().receipt())) {
                handlers.lost(hand);
            } else {
                hand.confirm(begun);
                if (extended.until() != null) {
                    hand.delivery().leasedUntil(extended.until());
                }
            }
        }
    }
}
