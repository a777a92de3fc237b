package io.perdure.core.workflow;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.core.store.Store;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.worker.Held;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads runs that are too large to be read together with others: one at a time, on a thread of its own, so that the claims of other runs go on. What was
 * read waits here for the next claim. Together the runs that are read, wait or are worked on have at most a quarter of the heap. Safe for many threads.
 */
final class LargeRuns {
    /** Each may take a second to be read, and all of them must have their turn before their leases end. */
    private static final int MOST_WAITING = 4;

    /** When a run is tried again for which there is no room. */
    private static final Duration LATER = Duration.ofSeconds(1);

    private static final int SHARE = 4;

    private final Store store;
    private final TenantId tenant;
    private final Environment environment;
    private final Duration lease;
    private final ReadBound bound;
    private final ClaimedRuns claimed;
    private final UnreadableRuns unreadable;
    private final long most = Runtime.getRuntime().maxMemory() / SHARE;
    private final Set<Runnable> listeners = new CopyOnWriteArraySet<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final List<Ready> ready = new ArrayList<>();
    private final Map<RunId, Hold> holds = new HashMap<>();
    private @Nullable Waiting reading;

    private record Waiting(ClaimedRun run, long bytes) {}

    /**
     * A run that was read.
     *
     * @param untilNanos when its lease ends unless it is extended
     */
    record Ready(ClaimedRun run, RunSnapshot snapshot, long bytes, long untilNanos) {}

    /** A run that is worked on in this process, as far as its worker extends the lease. */
    private record Hold(long bytes, long untilNanos) {}

    LargeRuns(Workflows.Setup setup, ReadBound bound, ClaimedRuns claimed, UnreadableRuns unreadable) {
        this.store = setup.store();
        this.tenant = setup.tenant();
        this.environment = setup.environment();
        this.lease = setup.limits().runs().lease();
        this.bound = bound;
        this.claimed = claimed;
        this.unreadable = unreadable;
    }

    /** Calls the listener whenever a run was read, until what is returned is run. Each is to be registered once. */
    Runnable listen(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Has a run read that was claimed. Without room for it now, it is let go of for a second. */
    void read(ClaimedRun run, long bytes) {
        boolean room;
        boolean begin = false;
        lock.lock();
        try {
            long used = used();
            room = waiting.size() < MOST_WAITING && (used == 0 || used + bytes <= most);
            if (room) {
                begin = reading == null && waiting.isEmpty();
                waiting.add(new Waiting(run, bytes));
            }
        } finally {
            lock.unlock();
        }
        if (begin) {
            environment.startApart("perdure-large-runs", this::readAll);
        } else if (!room) {
            claimed.letGo(List.of(run), Due.in(LATER));
        }
    }

    /** Under the lock. */
    private long used() {
        long now = environment.nanoTime();
        holds.values().removeIf(hold -> hold.untilNanos - now <= 0);
        ready.removeIf(one -> one.untilNanos - now <= 0);
        return holds.values().stream().mapToLong(Hold::bytes).sum()
                + ready.stream().mapToLong(Ready::bytes).sum()
                + waiting.stream().mapToLong(Waiting::bytes).sum()
                + (reading == null ? 0 : reading.bytes());
    }

    private void readAll() {
        for (Waiting next = next(); next != null; next = next()) {
            try {
                read(next);
            } catch (RuntimeException | Error e) {
                // Of this run alone: the next may be smaller.
                if (unreadable.isAboutRuns(e)) {
                    unreadable.failed(next.run(), e);
                }
            }
        }
    }

    private @Nullable Waiting next() {
        lock.lock();
        try {
            reading = waiting.poll();
            return reading;
        } finally {
            lock.unlock();
        }
    }

    private void read(Waiting one) {
        long begun = environment.nanoTime();
        // It may have waited for others.
        ClaimedRun run = extended(one.run());
        if (run == null) {
            return;
        }
        SizedSnapshots found = store.snapshots(tenant, List.of(run.run()), bound.bytes());
        Long unread = found.unread().get(run.run());
        if (unread != null) {
            unreadable.tooLarge(run, unread);
            return;
        }
        unreadable.forget(run.run());
        found.read().stream()
                // Cancelled or parked since the claim: the lease is gone with it.
                .filter(snapshot -> snapshot.run().status() == RunStatus.RUNNING)
                .forEach(snapshot -> add(new Ready(run, snapshot, one.bytes(), begun + lease.toNanos())));
    }

    private void add(Ready one) {
        lock.lock();
        try {
            ready.add(one);
        } finally {
            lock.unlock();
        }
        listeners.forEach(Runnable::run);
    }

    private @Nullable ClaimedRun extended(ClaimedRun run) {
        Extended answer =
                store.extend(List.of(new Extend(tenant, run.receipt(), lease))).getFirst();
        return answer instanceof Extended.Until(var until)
                ? new ClaimedRun(run.run(), run.workflow(), run.version(), run.receipt(), run.lapses(), until)
                : null;
    }

    /** Takes up to so many runs that were read, of those that are served; their leases are confirmed with this. */
    List<Ready> take(Predicate<ClaimedRun> served, int max) {
        List<Ready> taken = new ArrayList<>();
        lock.lock();
        try {
            long now = environment.nanoTime();
            for (Iterator<Ready> each = ready.iterator(); each.hasNext() && taken.size() < max; ) {
                Ready one = each.next();
                if (one.untilNanos - now <= 0) {
                    each.remove();
                } else if (served.test(one.run)) {
                    each.remove();
                    taken.add(one);
                }
            }
        } finally {
            lock.unlock();
        }
        taken.removeIf(one -> extended(one.run) == null);
        return taken;
    }

    /** A run is worked on in this process. */
    void held(Ready one) {
        lock.lock();
        try {
            holds.put(one.run.run(), new Hold(one.bytes, environment.nanoTime() + lease.toNanos()));
        } finally {
            lock.unlock();
        }
    }

    /** A worker of this process goes on with these. */
    void renew(List<Held> held) {
        lock.lock();
        try {
            if (!holds.isEmpty()) {
                long until = environment.nanoTime() + lease.toNanos();
                held.forEach(one -> holds.computeIfPresent(one.run(), (_, hold) -> new Hold(hold.bytes, until)));
            }
        } finally {
            lock.unlock();
        }
    }

    /** A worker of this process lets go of a run. */
    void free(RunId run) {
        lock.lock();
        try {
            holds.remove(run);
        } finally {
            lock.unlock();
        }
    }
}
