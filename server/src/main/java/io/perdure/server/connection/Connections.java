package io.perdure.server.connection;

import io.perdure.sdk.id.TenantId;
import io.perdure.server.http.TenantBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of a server, and who keeps a place when there are more than may be.
 *
 * <p>A connection is a stranger until a request of it was admitted by the gate. A new connection always gets in: if all places are taken, the
 * stranger that has been here longest is closed for it. So connections that say nothing, however many they are, keep no caller out, neither callers with
 * keys nor probes of {@code /livez}. Callers with keys can take all places but a share, which is left for new connections, and no tenant can take all of these. Safe for many threads.
 */
final class Connections {
    /** The share of places for strangers only: one in this many. */
    private static final int SHARE_OF_STRANGERS = 8;

    private static final int SHARE_OF_EVICTED = 16;

    /** Fewer than the descriptors that are kept free. */
    private static final int MOST_LEAVING = 32;

    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);

    private final int places;
    /** What tenants have of the places for known connections. */
    private final TenantBudget shares;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    /** Those that came first are first. */
    private final Set<Connection> strangers = new LinkedHashSet<>();

    private final Map<Connection, TenantId> known = new LinkedHashMap<>();
    /** Those that were evicted, and keep their descriptors until their threads notice. */
    private final Set<Connection> leaving = new LinkedHashSet<>();

    /**
     * Has room for the given number of connections.
     *
     * @param places 2 or more
     */
    Connections(int places) {
        this.places = places;
        this.shares = new TenantBudget(
                places - Math.max(1, places / SHARE_OF_STRANGERS),
                new TenantBudget.Refusal(
                        "Too many connections", "", "Retry later, or raise --max-waiting or --max-requests."));
    }

    /** Takes a place for a new connection, and closes the oldest stranger if there is none free. Waits a little if many that were evicted are not closed yet. */
    void enter(Connection connection) throws InterruptedException {
        Connection evicted = null;
        lock.lock();
        try {
            long rest = LONGEST_WAIT.toNanos();
            while (leaving.size() >= MOST_LEAVING && rest > 0) {
                rest = left.awaitNanos(rest);
            }
            if (strangers.size() + known.size() >= places) {
                evicted = evictedOf(firstOf(strangers));
            }
            strangers.add(connection);
        } finally {
            lock.unlock();
        }
        end(evicted);
    }

    private static void end(@Nullable Connection evicted) {
        if (evicted != null) {
            evicted.end(ConnectionEnd.EVICTED);
        }
    }

    /** Takes its place from it. */
    private @Nullable Connection evictedOf(@Nullable Connection chosen) {
        if (chosen != null) {
            strangers.remove(chosen);
            forget(chosen);
            leaving.add(chosen);
        }
        return chosen;
    }

    /** Frees descriptors: closes one connection in sixteen, strangers first, then those of known callers that have no request in progress. */
    void evictSome() {
        List<Connection> evicted = new ArrayList<>();
        lock.lock();
        try {
            int wanted = Math.max(1, (strangers.size() + known.size()) / SHARE_OF_EVICTED);
            for (int i = 0; i < wanted; i++) {
                Connection next = evictedOf(strangers.isEmpty() ? longestIdle(null) : firstOf(strangers));
                if (next != null) {
                    evicted.add(next);
                }
            }
        } finally {
            lock.unlock();
        }
        evicted.forEach(Connections::end);
    }

    private static @Nullable Connection firstOf(Set<Connection> some) {
        Iterator<Connection> all = some.iterator();
        return all.hasNext() ? all.next() : null;
    }

    /**
     * Gives a stranger a place of its own. If its tenant may have no more, the one of its connections that has rested longest is closed for it. A tenant that has
     * none gets the place of any connection that rests. Throws {@code PD-605} if that is not enough.
     */
    void prove(Connection connection, TenantId tenant) {
        Connection evicted = null;
        lock.lock();
        try {
            if (!shares.hasFor(tenant)) {
                evicted = evictedOf(longestIdle(shares.heldBy(tenant) == 0 ? null : tenant));
            }
            // One that was evicted in this moment is closed, and leaves soon.
            if (strangers.contains(connection)) {
                shares.take(tenant);
                strangers.remove(connection);
                known.put(connection, tenant);
            }
        } finally {
            lock.unlock();
            end(evicted);
        }
    }

    /** Returns the connection that has rested longest, of one tenant or of all. */
    private @Nullable Connection longestIdle(@Nullable TenantId tenant) {
        Connection longest = null;
        for (Map.Entry<Connection, TenantId> entry : known.entrySet()) {
            Connection one = entry.getKey();
            boolean isMeant = (tenant == null || tenant.equals(entry.getValue())) && one.isIdle();
            if (isMeant && (longest == null || one.idleSince() - longest.idleSince() < 0)) {
                longest = one;
            }
        }
        return longest;
    }

    private void forget(Connection connection) {
        TenantId tenant = known.remove(connection);
        if (tenant != null) {
            shares.giveBack(tenant);
        }
    }

    void leave(Connection connection) {
        lock.lock();
        try {
            strangers.remove(connection);
            forget(connection);
            leaving.remove(connection);
            left.signalAll();
        } finally {
            lock.unlock();
        }
    }

    int count() {
        lock.lock();
        try {
            return strangers.size() + known.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns all connections that there are now. */
    List<Connection> all() {
        lock.lock();
        try {
            List<Connection> all = new ArrayList<>(strangers);
            all.addAll(known.keySet());
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is no connection, for at most the given time. */
    void awaitNone(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long rest = nanos;
            while (rest > 0 && !(strangers.isEmpty() && known.isEmpty() && leaving.isEmpty())) {
                rest = left.awaitNanos(rest);
            }
        } finally {
            lock.unlock();
        }
    }
}
