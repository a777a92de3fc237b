package io.perdure.sdk.consumer;

import io.perdure.sdk.queue.ConsumeOptions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer has in hand: messages that wait for their handler, in the order they came; messages that are handled, never more than
 * the consumer's concurrency; and messages of which the store is being told what became of them. Safe for many threads; does nothing else.
 */
final class Hands {
    private final int concurrency;
    private final Prefetch prefetch;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Hand> waiting = new ArrayDeque<>();
    private final Set<Hand> handled = new LinkedHashSet<>();
    private final Set<Hand> settling = new LinkedHashSet<>();
    private boolean stopped;

    /** Messages that receives in progress may still bring. */
    private int asked;

    /** Whether the last receive that ended brought all that it had asked for, so that there may be more. */
    private boolean more;

    Hands(ConsumeOptions options) {
        this.concurrency = options.concurrency();
        this.prefetch = new Prefetch(options);
    }

    /**
     * Returns how many messages to ask for now, which count as asked for from now on, until {@link #add} or {@link #failed}. Returns 0 while more than
     * half of what is kept ahead is there or asked for: few large receives cost less than many small ones. Returns 0 too while the store
     * is behind with as many answers as there may be messages in hand.
     *
     * @param atMost as many as one receive may ask for
     */
    int ask(int atMost) {
        lock.lock();
        try {
            int room = Math.min(room(), atMost);
            asked += room;
            return room;
        } finally {
            lock.unlock();
        }
    }

    private int room() {
        int most = concurrency + prefetch.ahead();
        int free = concurrency - handled.size();
        boolean enough = waiting.size() + asked - free > prefetch.ahead() / 2;
        return enough || settling.size() >= most ? 0 : Math.max(0, free + prefetch.ahead() - waiting.size() - asked);
    }

    /** Returns whether there is room to ask for messages. */
    boolean isRoomLeft() {
        lock.lock();
        try {
            return room() > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a receive beside the one in progress is worth it: the last one brought all it asked for, and there is room. */
    boolean isMoreWanted() {
        lock.lock();
        try {
            return more && room() > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Notes that a receive that had asked for this number of messages has failed. */
    void failed(int ofAsked) {
        lock.lock();
        try {
            asked -= ofAsked;
        } finally {
            lock.unlock();
        }
    }

    /** Takes in what a receive brought that had asked for this number of messages. Returns false, and takes in nothing, once this was stopped. */
    boolean add(List<Hand> received, int ofAsked, long now) {
        boolean full = received.size() == ofAsked;
        lock.lock();
        try {
            asked -= ofAsked;
            more = full;
            received.forEach(hand -> hand.arrived(now));
            if (stopped) {
                return false;
            }
            waiting.addAll(received);
            if (waiting.size() > concurrency - handled.size()) {
                // One that begins at once says nothing about how quick handlers are.
                waiting.getLast().endsReceive(full);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes out messages that were received in vain: their handlers have become slow since. The caller gives them back. The longest
     * waiting messages stay, as many as are kept ahead now.
     */
    List<Hand> surplus(long now) {
        lock.lock();
        try {
            Hand oldest = waiting.peekFirst();
            if (oldest == null || !prefetch.adapts()) {
                return List.of();
            }
            prefetch.stillWaits(oldest.arrivedNanos(), now);
            List<Hand> surplus = new ArrayList<>();
            while (waiting.size() > prefetch.ahead()) {
                surplus.add(waiting.removeLast());
            }
            return surplus;
        } finally {
            lock.unlock();
        }
    }

    /** The next message to be handled, which counts as such from now on; absent where there is none, or no room to handle it. */
    @Nullable
    Hand begin(long now) {
        lock.lock();
        try {
            if (handled.size() >= concurrency) {
                return null;
            }
            Hand next = waiting.poll();
            if (next != null) {
                handled.add(next);
                next.tell(prefetch, now);
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** The handling of a message is over; what became of it is yet to be told. */
    void ended(Hand hand) {
        lock.lock();
        try {
            handled.remove(hand);
            settling.add(hand);
        } finally {
            lock.unlock();
        }
    }

    /** The store is being told of a message whose handler may still go on, or never began. */
    void settling(Hand hand) {
        lock.lock();
        try {
            settling.add(hand);
        } finally {
            lock.unlock();
        }
    }

    /** The store was told, or could not be. */
    void settled(Hand hand) {
        lock.lock();
        try {
            settling.remove(hand);
        } finally {
            lock.unlock();
        }
    }

    /** Drops a message whose handler has not begun; false where it has. */
    boolean drop(Hand hand) {
        lock.lock();
        try {
            return waiting.remove(hand);
        } finally {
            lock.unlock();
        }
    }

    /** Takes in nothing more; answers what was not begun, which is nobody's from now on. */
    List<Hand> stop() {
        lock.lock();
        try {
            stopped = true;
            List<Hand> left = List.copyOf(waiting);
            waiting.clear();
            return left;
        } finally {
            lock.unlock();
        }
    }

    /** All of them, each once: one that is given back while its handler goes on is both handled and being told of. */
    List<Hand> all() {
        lock.lock();
        try {
            Set<Hand> all = new LinkedHashSet<>(waiting);
            all.addAll(handled);
            all.addAll(settling);
            return List.copyOf(all);
        } finally {
            lock.unlock();
        }
    }

    List<Hand> handled() {
        lock.lock();
        try {
            return List.copyOf(handled);
        } finally {
            lock.unlock();
        }
    }

    int settlingNow() {
        lock.lock();
        try {
            return settling.size();
        } finally {
            lock.unlock();
        }
    }

    int count() {
        return all().size();
    }
}
