package io.perdure.sdk.worker;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.Logs;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Keeps the leases of all runs in the worker, in bulk. If an extension came late, others could have lost theirs just the
 * same: {@link StoreHealth} then has this worker leave lapsed runs alone for a while, so that a store that stood still does not make
 * all workers take from each other.
 */
final class Extender implements Runnable {
    private static final System.Logger LOG = Logs.of(Extender.class);

    /** After an extension that failed: the leases run, and others may be waiting for them to end. */
    private static final Duration AGAIN = Duration.ofMillis(200);

    /**
     * A run whose lease was not confirmed for so many of its lengths is given up, and its step interrupted. After one length others may take it; but a store
     * that was away was so for them, too, and mostly the step can go on where it stands once the store is back.
     */
    private static final int GIVEN_UP_AFTER = 3;

    private final Backend backend;
    private final Environment environment;
    private final Collection<Turn> turns;
    private final Duration every;
    private final Duration lease;
    private final int perCall;
    private final StoreHealth health;
    private final Bell bell;
    private volatile boolean closed;
    private boolean cutOff;

    Extender(Worker.Setup setup, Collection<Turn> turns, StoreHealth health) {
        this.backend = setup.backend();
        this.environment = setup.environment();
        this.turns = turns;
        this.every = setup.limits().workers().extendEvery();
        this.lease = setup.limits().runs().lease();
        this.perCall = setup.limits().calls().pageRows();
        this.health = health;
        this.bell = environment.bell();
    }

    /** Extends now rather than in a while: a run may have been taken away that is worked on here. */
    void lookNow() {
        bell.ring();
    }

    void close() {
        closed = true;
        bell.ring();
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                bell.await(cutOff ? AGAIN : every);
                if (!closed) {
                    extend();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void extend() {
        long begun = environment.nanoTime();
        List<Turn> held = turns.stream().filter(turn -> !turn.isAbandoned()).toList();
        health.extending(begun);
        try {
            for (int from = 0; from < held.size(); from += perCall) {
                extend(held.subList(from, Math.min(held.size(), from + perCall)), begun);
            }
            Duration left = health.extended(begun, environment.nanoTime(), !held.isEmpty());
            if (left != null) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        cutOff
                                ? "Leases are extended again; for {0} no lapsed runs are taken over."
                                : "The store was slow to extend leases; for {0} no lapsed runs are taken over.",
                        left);
            }
            cutOff = false;
        } catch (RuntimeException | Error e) {
            // Without this thread every lease would end.
            LOG.log(
                    cutOff ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                    "Leases could not be extended; no step starts until they are. " + e);
            cutOff = true;
            health.extensionFailed();
            turns.stream()
                    .filter(turn -> turn.holding().isUnconfirmedFor(lease.multipliedBy(GIVEN_UP_AFTER)))
                    .forEach(Turn::lose);
        }
    }

    private void extend(List<Turn> some, long begun) {
        List<Held> lost =
                backend.extend(some.stream().map(turn -> turn.holding().held()).toList());
        Set<Held> gone = new HashSet<>(lost);
        for (Turn turn : some) {
            if (gone.contains(turn.holding().held())) {
                turn.lose();
            } else {
                turn.holding().confirm(begun);
            }
        }
    }
}
