package io.perdure.server.http;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits how many pages of lists are put together and sent at once, by the memory that they may take: a quarter of the heap, in total and {@linkplain TenantBudget per
 * tenant}. Other requests wait for their turn: next is the one that came first, of the tenant that has the fewest turns. Safe for many threads.
 */
public final class Pages {
    private static final int SHARE_OF_MEMORY = 4;

    /** What is read, the text of it, and its bytes. */
    private static final int COPIES = 3;

    private static final Duration TURN_WITHIN = Duration.ofSeconds(10);
    private static final String PROBLEM = "Too many lists are read at once";
    private static final String REMEDY = "Retry later, or give the server more heap (-Xmx).";

    private final int most;
    private final Duration within;
    private final TenantBudget turns;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Waiter> waiters = new LinkedHashSet<>();

    /** As many at once as memory allows. */
    public Pages() {
        this(
                Runtime.getRuntime().maxMemory()
                        / SHARE_OF_MEMORY
                        / COPIES
                        / Limits.defaults().rest().pageBytes(),
                TURN_WITHIN);
    }

    /** Lets up to this number be read at once; each of the others waits for up to the given time. */
    public Pages(long atOnce, Duration within) {
        this.most = Math.clamp(atOnce, 1, Integer.MAX_VALUE);
        this.within = within;
        this.turns = new TenantBudget(most, new TenantBudget.Refusal(PROBLEM, "", REMEDY));
    }

    /** A request that wants a turn. Guarded by the lock. */
    private final class Waiter {
        private final TenantId tenant;
        private final Condition changed = lock.newCondition();
        private boolean hasTurn;

        private Waiter(TenantId tenant) {
            this.tenant = tenant;
        }
    }

    /** Waits for a turn, to be left when the page is sent; throws {@code PD-605} if none comes in time. */
    public UnderWay.Place enter(TenantId tenant) {
        lock.lock();
        try {
            Waiter waiter = new Waiter(tenant);
            waiters.add(waiter);
            giveTurns();
            await(waiter);
            if (!waiter.hasTurn) {
                throw new RefusedException(
                        ErrorCode.TOO_MANY_REQUESTS,
                        "%s (limit %s, by memory), and tenant %s got no turn within %s s. %s"
                                .formatted(PROBLEM, most, tenant, within.toSeconds(), REMEDY));
            }
            return new Turn(tenant);
        } finally {
            lock.unlock();
        }
    }

    private void await(Waiter waiter) {
        try {
            long left = within.toNanos();
            while (!waiter.hasTurn && left > 0) {
                left = waiter.changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            waiters.remove(waiter);
        }
    }

    private void giveTurns() {
        for (Optional<Waiter> next = next(); next.isPresent(); next = next()) {
            Waiter waiter = next.get();
            turns.take(waiter.tenant);
            waiters.remove(waiter);
            waiter.hasTurn = true;
            waiter.changed.signal();
        }
    }

    private Optional<Waiter> next() {
        return waiters.stream()
                .filter(waiter -> turns.hasFor(waiter.tenant))
                .min(Comparator.comparingInt(waiter -> turns.heldBy(waiter.tenant)));
    }

    /** Returns how many requests wait for a turn. */
    int waiting() {
        lock.lock();
        try {
            return waiters.size();
        } finally {
            lock.unlock();
        }
    }

    private void leave(TenantId tenant) {
        lock.lock();
        try {
            turns.giveBack(tenant);
            giveTurns();
        } finally {
            lock.unlock();
        }
    }

    private final class Turn implements UnderWay.Place {
        private final TenantId tenant;
        private boolean left;

        private Turn(TenantId tenant) {
            this.tenant = tenant;
        }

        @Override
        public void close() {
            if (!left) {
                left = true;
                leave(tenant);
            }
        }

        /** The answer is what takes the memory. */
        @Override
        public void answering() {
            // Left when it is sent.
        }
    }
}
