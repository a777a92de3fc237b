package io.perdure.testkit.crash;

import io.perdure.core.store.RunCommit.Advance;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.RunId;
import io.perdure.testkit.crash.Waiter.Parcel;
import java.util.BitSet;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A run under attack, and the ledger of what was done to it: kept outside the store, by those who did it, from the answers that
 * they got. Safe for many threads.
 */
final class Target {
    private final RunId id;
    private final int number;
    private final Queue<Parcel> acknowledged = new ConcurrentLinkedQueue<>();
    private final Set<Parcel> refused = ConcurrentHashMap.newKeySet();
    private final AtomicInteger nonces = new AtomicInteger();
    private final BitSet answered = new BitSet();
    private int suspensions;
    private int turn;
    private volatile boolean cancelled;

    Target(RunId id, int number) {
        this.id = id;
        this.number = number;
    }

    RunId id() {
        return id;
    }

    /** The die of its next suspension: which it is decides, not who came first. */
    synchronized SplittableRandom die(long seed) {
        return new SplittableRandom((seed * 1_000_003 + number) * 1_000_003 + suspensions++);
    }

    /** The turn that it is about to wait for. A worker that has lost it may come late, with a turn that is over. */
    synchronized int turn(Advance suspension) {
        for (Draft draft : suspension.events()) {
            if (draft.event() instanceof Event.WaitStarted begun) {
                turn = Math.max(turn, Waiter.turnOf(begun.name().value()));
            }
        }
        return turn;
    }

    /** Whether this is the first who is about to send what a turn waits for. */
    synchronized boolean answer(int which) {
        boolean first = which < Waiter.TURNS && !answered.get(which);
        answered.set(which);
        return first;
    }

    synchronized boolean isAnswered(int which) {
        return answered.get(which);
    }

    /** Sends something that is meant for a turn, or for none. */
    void signal(Engine from, String event, int meantFor) {
        Parcel parcel = new Parcel(meantFor, nonces.incrementAndGet());
        send(from, event, parcel, null);
    }

    /** The same, said twice, and to be taken once. */
    void signalTwice(Engine from, int meantFor) {
        Parcel parcel = new Parcel(meantFor, nonces.incrementAndGet());
        String once = "nonce-" + parcel.nonce();
        if (send(from, Waiter.EVENT, parcel, once) && from.signal(id, Waiter.EVENT, parcel.json(), once)) {
            throw new AssertionError("Signal %s was taken twice.".formatted(parcel));
        }
    }

    private boolean send(Engine from, String event, Parcel parcel, @Nullable String deduplicationId) {
        try {
            if (!from.signal(id, event, parcel.json(), deduplicationId)) {
                throw new AssertionError("Signal %s was said to be there already.".formatted(parcel));
            }
            acknowledged.add(parcel);
            return true;
        } catch (PerdureException e) {
            if (e.code() != ErrorCode.RUN_ENDED) {
                throw e;
            }
            refused.add(parcel);
            return false;
        }
    }

    void cancel(Engine from) {
        try {
            if (from.cancel(id, "under attack")) {
                cancelled = true;
            }
        } catch (PerdureException e) {
            if (e.code() != ErrorCode.RUN_ENDED) {
                throw e;
            }
        }
    }

    boolean isCancelled() {
        return cancelled;
    }

    Queue<Parcel> acknowledged() {
        return acknowledged;
    }

    @Override
    public synchronized String toString() {
        return "run %s, the %d., in turn %d after %d suspensions, answered %s, acknowledged %s, refused %s%s"
                .formatted(
                        id, number, turn, suspensions, answered, acknowledged, refused, cancelled ? ", cancelled" : "");
    }
}
