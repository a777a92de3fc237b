package io.perdure.core.workflow;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.core.store.Store;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.worker.Held;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads runs that are too large to be read together with others: one at a time, on a thread of its own, so that the claims of other runs go on. What was
 * read waits here for the next claim. Until there is {@linkplain LargeRunRoom room} for a run, it waits unread. Another thread, the keeper, extends the leases of all of these meanwhile, however long a read takes, and gives back what
 * waits for too long: another process may have room for it. It ends when nothing is left. Safe for many threads.
 */
final class LargeRuns {
    private static final int MOST_WAITING = 16;

    /** A run that waits for longer than this number of leases is given back. */
    private static final int KEPT_LEASES = 3;

    private final Store store;
    private final TenantId tenant;
    private final Environment environment;
    private final Duration lease;
    private final Duration extendEvery;
    private final ReadBound bound;
    private final ClaimedRuns claimed;
    private final UnreadableRuns unreadable;
    private final Set<Runnable> listeners = new CopyOnWriteArraySet<>();
    private final LargeRunRoom room;
    private final LargeRunLeases leases;
    private final Bell bell;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final List<Ready> ready = new ArrayList<>();
    private @Nullable Waiting reading;
    private boolean running;
    private volatile boolean closed;

    /**
     * A run that is not read yet.
     *
     * @param untilNanos when it is given back
     */
    private record Waiting(ClaimedRun run, long bytes, long untilNanos) {}

    /**
     * A run that was read.
     *
     * @param untilNanos when it is given back
     */
    record Ready(ClaimedRun run, RunSnapshot snapshot, long untilNanos) {}

    LargeRuns(Workflows.Setup setup, ReadBound bound, ClaimedRuns claimed, UnreadableRuns unreadable) {
        this.store = setup.store();
        this.tenant = setup.tenant();
        this.environment = setup.environment();
        this.lease = setup.limits().runs().lease();
        this.extendEvery = setup.limits().workers().extendEvery();
        this.bound = bound;
        this.claimed = claimed;
        this.unreadable = unreadable;
        this.room = setup.largeRuns();
        this.leases = new LargeRunLeases(store, tenant, lease, environment);
        this.bell = environment.bell();
    }

    /** Calls the listener whenever a run was read, until what is returned is run. Each is to be registered once. */
    Runnable listen(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Has a run read that was claimed. If too many wait already, it is let go of for a second. */
    void read(ClaimedRun run, long bytes) {
        boolean kept;
        boolean begin = false;
        lock.lock();
        try {
            kept = !closed && waiting.size() < MOST_WAITING;
            if (kept) {
                waiting.add(new Waiting(run, bytes, keptUntil()));
                begin = !running;
                running = true;
            }
        } finally {
            lock.unlock();
        }
        if (!kept) {
            claimed.postpone(List.of(run));
        } else if (begin) {
            begin();
        } else {
            bell.ring();
        }
    }

    /** Starts the keeper. If that cannot be, all that waits was let go of: there is no memory for a thread, which says nothing of the runs. */
    private boolean begin() {
        try {
            environment.startApart("perdure-large-runs", this::keep);
            return true;
        } catch (RuntimeException | Error e) {
            forgetAll().forEach(run -> claimed.postpone(run, e));
            return false;
        }
    }

    private long keptUntil() {
        return environment.nanoTime() + lease.multipliedBy(KEPT_LEASES).toNanos();
    }

    private void keep() {
        boolean ended = false;
        try {
            long extended = environment.nanoTime();
            while (!ended) {
                Waiting next = next();
                if (next != null) {
                    start(next);
                }
                bell.await(extendEvery);
                if (environment.nanoTime() - extended >= extendEvery.toNanos()) {
                    extended = environment.nanoTime();
                    extendAll();
                }
                ended = endsIfNothingIsLeft();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (!ended) {
                forgetAll();
            }
        }
    }

    /** Whether nothing is left to keep: the next large run starts another keeper. */
    private boolean endsIfNothingIsLeft() {
        lock.lock();
        try {
            running = reading != null || !waiting.isEmpty() || !ready.isEmpty();
            return !running;
        } finally {
            lock.unlock();
        }
    }

    /** Returns what waited. Its leases are not extended any more: unless they are let go of, the runs are claimed again once their leases have ended. */
    private List<ClaimedRun> forgetAll() {
        List<ClaimedRun> forgotten = new ArrayList<>();
        lock.lock();
        try {
            running = false;
            waiting.forEach(one -> forgotten.add(one.run));
            ready.forEach(one -> {
                forgotten.add(one.run);
                room.free(one.run.run());
            });
            waiting.clear();
            ready.clear();
        } finally {
            lock.unlock();
        }
        return forgotten;
    }

    /** The next run to be read, if none is being read and there is room for it. */
    private @Nullable Waiting next() {
        lock.lock();
        try {
            Waiting first = waiting.peek();
            if (first == null || reading != null || !room.beginReading(first.run.run(), first.bytes)) {
                return null;
            }
            reading = waiting.poll();
            return reading;
        } finally {
            lock.unlock();
        }
    }

    private void start(Waiting one) {
        try {
            environment.startApart("perdure-large-run", () -> readOne(one));
        } catch (RuntimeException | Error e) {
            wasRead(one, false);
            claimed.postpone(one.run, e);
        }
    }

    private void readOne(Waiting one) {
        boolean kept = false;
        try {
            // It may have waited for others.
            ClaimedRun run = leases.extended(one.run);
            kept = run != null && read(run);
        } catch (PerdureException e) {
            claimed.postpone(one.run, e);
        } finally {
            wasRead(one, kept);
        }
    }

    private void wasRead(Waiting one, boolean kept) {
        lock.lock();
        try {
            reading = null;
            room.endReading(one.run.run());
            if (!kept) {
                room.free(one.run.run());
            }
        } finally {
            lock.unlock();
        }
        bell.ring();
    }

    /** Returns whether it waits to be taken now. */
    private boolean read(ClaimedRun run) {
        SizedSnapshots found;
        try {
            found = store.snapshots(tenant, List.of(run.run()), bound.bytes());
        } catch (RuntimeException | Error e) {
            // Of this run alone: the next may be smaller.
            if (unreadable.isAboutRuns(e, bound.bytes())) {
                unreadable.failed(run, e);
            } else {
                claimed.postpone(run, e);
            }
            return false;
        }
        Long unread = found.unread().get(run.run());
        if (unread != null) {
            unreadable.tooLarge(run, unread);
            return false;
        }
        unreadable.forget(run.run());
        return found.read().stream()
                .findFirst()
                // Cancelled or parked since the claim: the lease is gone with it.
                .filter(snapshot -> snapshot.run().status() == RunStatus.RUNNING)
                .filter(snapshot -> add(new Ready(run, snapshot, keptUntil())))
                .isPresent();
    }

    /** Has a run wait that was read, or that was taken and has no place there. Returns whether the next claim finds it; otherwise it was let go of. */
    boolean add(Ready one) {
        boolean kept = addQuietly(one);
        if (kept) {
            listeners.forEach(Runnable::run);
        }
        return kept;
    }

    /** Returns whether it waits to be taken now; listeners do not hear of it. Otherwise it was let go of. */
    private boolean addQuietly(Ready one) {
        boolean kept;
        boolean begin;
        lock.lock();
        try {
            kept = !closed && ready.add(one);
            // The keeper may have ended, because nothing was left meanwhile.
            begin = kept && !running;
            running = running || kept;
        } finally {
            lock.unlock();
        }
        if (!kept) {
            free(one.run.run());
            claimed.letGo(List.of(one.run), Due.atOnce());
        }
        return kept && (!begin || begin());
    }

    /** Extends the leases of what waits, and forgets what was lost or has waited for too long. */
    private void extendAll() {
        giveBackOld();
        List<ClaimedRun> all = waitingRuns();
        room.renew(all.stream().map(ClaimedRun::run));
        forget(leases.extendAll(all));
    }

    private void giveBackOld() {
        List<ClaimedRun> unread = new ArrayList<>();
        List<ClaimedRun> read = new ArrayList<>();
        lock.lock();
        try {
            long now = environment.nanoTime();
            waiting.removeIf(one -> one.untilNanos - now <= 0 && unread.add(one.run));
            ready.removeIf(one -> one.untilNanos - now <= 0 && read.add(one.run));
            read.forEach(run -> room.free(run.run()));
        } finally {
            lock.unlock();
        }
        claimed.postpone(unread);
        claimed.letGo(read, Due.atOnce());
    }

    private List<ClaimedRun> waitingRuns() {
        List<ClaimedRun> all = new ArrayList<>();
        lock.lock();
        try {
            if (reading != null) {
                all.add(reading.run);
            }
            waiting.forEach(one -> all.add(one.run));
            ready.forEach(one -> all.add(one.run));
        } finally {
            lock.unlock();
        }
        return all;
    }

    private void forget(Set<Receipt> lost) {
        lock.lock();
        try {
            waiting.removeIf(one -> lost.contains(one.run.receipt()));
            ready.removeIf(one -> lost.contains(one.run.receipt()) && freed(one));
        } finally {
            lock.unlock();
        }
    }

    /** Takes runs that were read, up to the given number, of those that are served; their leases are confirmed with this. */
    List<Ready> take(Predicate<ClaimedRun> served, int max) {
        List<Ready> taken = new ArrayList<>();
        lock.lock();
        try {
            ready.removeIf(one -> taken.size() < max && served.test(one.run) && taken.add(one));
        } finally {
            lock.unlock();
        }
        room.renew(taken.stream().map(one -> one.run.run()));
        Iterator<Ready> each = taken.iterator();
        try {
            while (each.hasNext()) {
                Ready one = each.next();
                if (leases.extended(one.run) == null) {
                    each.remove();
                    free(one.run.run());
                }
            }
        } catch (PerdureException e) {
            // Listeners are not told that they wait: a claim at once would find the store away again.
            taken.forEach(this::addQuietly);
            throw e;
        }
        return taken;
    }

    /** A worker of this process goes on with these. */
    void renew(List<Held> held) {
        room.renew(held.stream().map(Held::run));
    }

    private boolean freed(Ready one) {
        free(one.run.run());
        return true;
    }

    /** A run is not in this process any more. */
    void free(RunId run) {
        if (room.free(run)) {
            // There may be room for the next one.
            bell.ring();
        }
    }

    /** Gives back what waits: nothing takes it any more. */
    void close() {
        // Before the lock is taken: what comes after that is not kept.
        closed = true;
        List<ClaimedRun> left = forgetAll();
        bell.ring();
        claimed.letGo(left, Due.atOnce());
    }
}
