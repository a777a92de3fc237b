package io.perdure.testkit.crash;

import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Committed;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.ForwardingStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A store as a process sees it that dies at its n-th call of a kind. After its death nothing goes through it any more, so an
 * engine over it is as good as killed: it can neither write nor learn anything.
 */
public final class MortalStore extends ForwardingStore {
    private final Death death;
    private final Runnable dying;
    private final AtomicInteger reached = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean doomed;
    private final CompletableFuture<Boolean> dead = new CompletableFuture<>();

    /** Dies when this moment has come for so many times. */
    public record Death(Moment moment, int number) {
        /** So far away that nobody gets there. */
        public static Death never() {
            return new Death(Moment.BEFORE_COMMIT, Integer.MAX_VALUE);
        }
    }

    /**
     * A store that dies.
     *
     * @param dying done at the moment of its death, by the thread that makes the call
     */
    public MortalStore(Store store, Death death, Runnable dying) {
        super(store);
        this.death = death;
        this.dying = dying;
    }

    /** Lets it die now. */
    public void die() {
        // Nothing leaves it from here on, also not what its steps make of the end of their world.
        doomed = true;
        dying.run();
        dead.complete(true);
    }

    /** True once it is dead. */
    CompletableFuture<Boolean> death() {
        return dead;
    }

    /** Whether it dies, or is dead: then whoever it serves hears so, maybe before {@link #death} does. */
    boolean isDoomed() {
        return doomed;
    }

    private void reach(Moment moment) {
        requireLife();
        if (moment == death.moment() && reached.incrementAndGet() == death.number()) {
            die();
        }
        requireLife();
    }

    private void requireLife() {
        if (doomed) {
            throw new StoreException(ErrorCode.STORE_CLOSED, "The process is dead.");
        }
    }

    private <T> T call(Moment before, Moment after, Supplier<T> call) {
        underWay.incrementAndGet();
        try {
            reach(before);
            T answer = call.get();
            reach(after);
            return answer;
        } finally {
            underWay.decrementAndGet();
        }
    }

    /** Returns once what the dead process had sent has arrived or got lost, so that others see all of it or nothing. */
    void awaitQuiet() {
        while (underWay.get() > 0) {
            Thread.onSpinWait();
        }
    }

    @Override
    public List<Outcome> commit(Batch batch) {
        return call(Moment.BEFORE_COMMIT, Moment.AFTER_COMMIT, () -> store.commit(batch));
    }

    @Override
    public Committed commit(Batch batch, ClaimRuns along) {
        return call(Moment.BEFORE_COMMIT, Moment.AFTER_COMMIT, () -> store.commit(batch, along));
    }

    @Override
    public Claimed claim(ClaimRuns request) {
        return call(Moment.BEFORE_CLAIM, Moment.AFTER_CLAIM, () -> store.claim(request));
    }

    @Override
    public SizedSnapshots snapshots(TenantId tenant, List<RunId> runs, long bytes) {
        return call(Moment.BEFORE_SNAPSHOTS, Moment.AFTER_SNAPSHOTS, () -> store.snapshots(tenant, runs, bytes));
    }

    @Override
    public List<Extended> extend(List<Extend> leases) {
        requireLife();
        return store.extend(leases);
    }

    /** Gives back what the process held, as the operating system does for a dead one. */
    public void release() {
        if (!closed.getAndSet(true)) {
            store.close();
        }
    }

    @Override
    public void close() {
        release();
    }
}
