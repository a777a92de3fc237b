package io.perdure.server.http;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.TenantId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits how many of something requests hold at once, in total and per tenant. A tenant that holds some gets more only if it then holds at most nine times as many as
 * remain free. So one tenant alone can hold at most nine tenths, and there is always room for a tenant that holds nothing: the more tenants want all they can get,
 * the less each of them gets. A single request may take everything if no other request holds any. Safe for many threads.
 */
public final class TenantBudget {
    /** How many times as many as remain free a tenant may hold. */
    private static final long TIMES_FREE = 9;

    private final int most;
    private final Refusal refusal;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<TenantId, Integer> held = new HashMap<>();
    private int used;

    /**
     * What a request is told that gets none.
     *
     * @param problem what there is too much of, such as {@code Too many requests in progress}
     * @param unit what is counted, with a blank before it; empty if the problem says that
     * @param remedy what to do
     */
    public record Refusal(String problem, String unit, String remedy) {}

    /** Lets requests hold up to this number together. */
    public TenantBudget(int most, Refusal refusal) {
        this.most = most;
        this.refusal = refusal;
    }

    /** Takes one; throws {@code PD-605} if there is none for this tenant. */
    public void take(TenantId tenant) {
        take(tenant, 1, 0);
    }

    /**
     * Takes some; throws {@code PD-605} if there are not enough for this tenant.
     *
     * @param mine how many the request holds already; one that holds all that are held gets what is left, even if it wants more
     * @return how many were taken
     */
    int take(TenantId tenant, int wanted, int mine) {
        lock.lock();
        try {
            int taken = available(tenant, wanted, mine);
            if (taken < 0) {
                throw new RefusedException(ErrorCode.TOO_MANY_REQUESTS, problem(tenant, wanted));
            }
            held.merge(tenant, taken, Integer::sum);
            used += taken;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many of those that are wanted can be taken; -1 if the tenant is to have none. */
    private int available(TenantId tenant, int wanted, int mine) {
        int free = most - used;
        if (used == mine) {
            return Math.min(wanted, free);
        }
        long has = held.getOrDefault(tenant, 0);
        return wanted <= free && (has == 0 || has + wanted <= TIMES_FREE * (free - wanted)) ? wanted : -1;
    }

    private String problem(TenantId tenant, int wanted) {
        return most - used < wanted
                ? "%s (limit %s%s). %s".formatted(refusal.problem(), most, refusal.unit(), refusal.remedy())
                : "%s: tenant %s has %s of %s%s, and the rest is kept for other tenants. %s"
                        .formatted(
                                refusal.problem(),
                                tenant,
                                held.getOrDefault(tenant, 0),
                                most,
                                refusal.unit(),
                                refusal.remedy());
    }

    /** Whether the tenant could take one now. */
    public boolean hasFor(TenantId tenant) {
        lock.lock();
        try {
            return available(tenant, 1, 0) > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Gives one back. */
    public void giveBack(TenantId tenant) {
        giveBack(tenant, 1);
    }

    /** Gives back some that were taken. */
    void giveBack(TenantId tenant, int taken) {
        lock.lock();
        try {
            used -= taken;
            held.computeIfPresent(tenant, (_, has) -> has == taken ? null : has - taken);
        } finally {
            lock.unlock();
        }
    }

    /** How many a tenant holds now. */
    public int heldBy(TenantId tenant) {
        lock.lock();
        try {
            return held.getOrDefault(tenant, 0);
        } finally {
            lock.unlock();
        }
    }

    /** How many are held now, by all tenants. */
    public int used() {
        lock.lock();
        try {
            return used;
        } finally {
            lock.unlock();
        }
    }
}
