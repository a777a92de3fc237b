package io.perdure.store.postgres;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits how many connections each share uses at once. A caller needs a permit of its share, one of the callers' half if it
 * belongs there, and one of all. Permits are handed out in the order of arrival, so that a crowd in one share delays callers of
 * another only by the few that its own share admits.
 *
 * <p>Safe for many threads.
 */
final class ConnectionPermits {
    /** The most callers that wait in one share: more than a process has reason for, few enough to fit into its memory. */
    static final int LONGEST = 10_000;

    /** For each share the permits that a caller needs, in the order in which all callers acquire them. */
    private final Map<Share, List<Semaphore>> needed = new EnumMap<>(Share.class);

    ConnectionPermits(int connections) {
        Semaphore all = new Semaphore(connections, true);
        Semaphore callers = new Semaphore(Share.ofCallers(connections), true);
        for (Share share : Share.values()) {
            Semaphore own = new Semaphore(share.most(connections), true);
            needed.put(share, share.isOfCallers() ? List.of(own, callers, all) : List.of(own, all));
        }
    }

    /** Returns whether the caller got its permits within the given time. It then calls {@link #release} in the end. */
    boolean acquire(Share share, Duration wait) throws InterruptedException {
        long began = System.nanoTime();
        long nanos = TimeUnit.NANOSECONDS.convert(wait);
        Deque<Semaphore> held = new ArrayDeque<>();
        boolean done = false;
        try {
            for (Semaphore next : of(share)) {
                if (!next.tryAcquire(nanos - (System.nanoTime() - began), TimeUnit.NANOSECONDS)) {
                    return false;
                }
                held.push(next);
            }
            done = true;
            return true;
        } finally {
            if (!done) {
                held.forEach(Semaphore::release);
            }
        }
    }

    /** Gives the permits of one caller back. */
    void release(Share share) {
        of(share).reversed().forEach(Semaphore::release);
    }

    /** Returns the number of callers that wait for a permit of this share. */
    int waiting(Share share) {
        return of(share).getFirst().getQueueLength();
    }

    /** Admits all callers, which then find the pool closed. */
    void open() {
        needed.values().forEach(permits -> permits.forEach(each -> each.release(LONGEST * Share.values().length)));
    }

    private List<Semaphore> of(Share share) {
        List<Semaphore> permits = needed.get(share);
        if (permits == null) {
            throw new IllegalStateException("no permits for " + share);
        }
        return permits;
    }
}
