package io.perdure.sdk.consumer;

import io.perdure.sdk.queue.ConsumeOptions;
import java.util.ArrayDeque;
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
    private final int ahead;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Hand> waiting = new ArrayDeque<>();
    private final Set<Hand> handled = new LinkedHashSet<>();
    private final Set<Hand> settling = new LinkedHashSet<>();
    private boolean stopped;

    Hands(ConsumeOptions options) {
        this.concurrency = options.concurrency();
        this.ahead = options.ahead();
    }

    /**
     * How many messages are worth asking for now. None, while more than half of what is kept ahead is there: few large receives cost less
     * than many small ones. None either, while the store is behind with what it was told by as much as can be in hand.
     */
    int room() {
        lock.lock();
        try {
            int most = concurrency + ahead;
            int room = most - waiting.size() - handled.size();
            boolean enough = waiting.size() > ahead / 2;
            return enough || settling.size() >= most ? 0 : room;
        } finally {
            lock.unlock();
        }
    }

    /** Takes in what was received; false, and nothing is, once this was stopped. */
    boolean add(List<Hand> received) {
        lock.lock();
        try {
            return !stopped && waiting.addAll(received);
        } finally {
            lock.unlock();
        }
    }

    /** The next message to be handled, which counts as such from now on; absent where there is none, or no room to handle it. */
    @Nullable
    Hand begin() {
        lock.lock();
        try {
            if (handled.size() >= concurrency) {
                return null;
            }
            Hand next = waiting.poll();
            if (next != null) {
                handled.add(next);
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
