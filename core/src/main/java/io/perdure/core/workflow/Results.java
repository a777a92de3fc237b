package io.perdure.core.workflow;

import io.perdure.core.queue.Dismissal;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.SharedWatch;
import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.ParkedRun;
import io.perdure.sdk.run.RunEnd;
import io.perdure.sdk.run.WhenParked;
import io.perdure.sdk.worker.Follower;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers wait for the end of runs, or follow them, whoever works on them. A waiter joins, looks, and waits to be told: what
 * ended in between was either seen by that look or hinted at after it. Hints can be lost, so it looks again after 5 s, and half as
 * often each time, down to once in 30 s. The store is watched only while somebody waits or follows, and once for all of them.
 */
final class Results implements AutoCloseable {
    private static final Duration LOOK_WITHIN = Duration.ofSeconds(5);
    private static final Duration LOOK_WITHIN_AT_REST = Duration.ofSeconds(30);
    private static final Duration MOMENT = Duration.ofMillis(20);
    private static final int PAGE = Limits.defaults().calls().pageRows();
    private static final int PAGE_BYTES = Limits.defaults().calls().readBytes();

    private final Store store;
    private final Environment environment;
    private final TenantId tenant;
    private final Predicate<RunId> inHand;
    /** Guards the waiters. The listener takes it, so no call of the store is made under it. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<RunId, Set<Waiter>> waiters = new HashMap<>();
    private final SharedWatch watch;
    private volatile boolean waitsEnded;
    private volatile boolean closed;

    /**
     * Looks at the runs of a tenant.
     *
     * @param inHand whether a worker of this process works on a run now
     */
    Results(Store store, Environment environment, TenantId tenant, Predicate<RunId> inHand) {
        this.store = store;
        this.environment = environment;
        this.tenant = tenant;
        this.inHand = inHand;
        this.watch = new SharedWatch(store, this::hinted);
    }

    /**
     * Waits for the end of a run, and returns how it ended, or how it stands if the time is over before. Throws {@code PD-301} if there is no such run, and
     * {@code PD-316} if the run is parked and the caller does not want to wait for that.
     */
    RunEnd await(RunId run, Duration atMost, WhenParked whenParked) throws InterruptedException {
        long deadline = environment.nanoTime() + Math.min(TimeUnit.NANOSECONDS.convert(atMost), Long.MAX_VALUE / 2);
        Waiter waiter = join(run);
        try {
            Dismissal dismissal = Dismissal.current();
            dismissal.waitAt(waiter.bell);
            Duration lookWithin = LOOK_WITHIN;
            while (true) {
                requireOpen();
                long left = deadline - environment.nanoTime();
                RunEnd end = toldInAMoment(run, waiter, left);
                if (end != null) {
                    return end;
                }
                requireOpen();
                waiter.look = false;
                RunRow row = row(run);
                if (row.status() == RunStatus.PARKED && whenParked == WhenParked.STOP) {
                    throw ParkedRun.refusal(row.info());
                }
                left = deadline - environment.nanoTime();
                if (row.status().isTerminal() || left <= 0 || waitsEnded || dismissal.isDismissed()) {
                    return new RunEnd(row.status(), row.output(), row.error());
                }
                waiter.bell.await(Duration.ofNanos(Math.min(left, lookWithin.toNanos())));
                lookWithin = lookWithin.multipliedBy(2);
                if (lookWithin.compareTo(LOOK_WITHIN_AT_REST) > 0) {
                    lookWithin = LOOK_WITHIN_AT_REST;
                }
            }
        } finally {
            leave(run, waiter);
        }
    }

    /** How a run ended, as a worker of this process says: one that has it in hand is given a moment before the store is asked. */
    private @Nullable RunEnd toldInAMoment(RunId run, Waiter waiter, long leftNanos) throws InterruptedException {
        long over = environment.nanoTime() + Math.min(leftNanos, MOMENT.toNanos());
        // The store's hint of its end comes a little earlier than the worker's word.
        while (waiter.end == null && !waiter.look && !closed && !waitsEnded && inHand.test(run)) {
            long left = over - environment.nanoTime();
            if (left <= 0) {
                break;
            }
            waiter.bell.await(Duration.ofNanos(left));
        }
        return waiter.end;
    }

    /** Somebody who waits for what a run does. */
    static final class Waiter {
        final Bell bell;
        /** How the run ended, where a worker of this process said so: then the store need not be asked. */
        private volatile @Nullable RunEnd end;
        /** Whether the store is to be asked at once. */
        private volatile boolean look;

        Waiter(Bell bell) {
            this.bell = bell;
        }
    }

    /** Tells those who wait here how a run ended that a worker of this process has in hand. */
    Follower follower(RunId run) {
        return new Follower() {
            @Override
            public void ended(RunStatus status, @Nullable Json output, @Nullable Failure error) {
                tell(run, new RunEnd(status, output, error));
            }

            @Override
            public void left() {
                // The store tells what becomes of it.
            }
        };
    }

    private void tell(RunId run, RunEnd end) {
        // A failed run may have been redriven, and a parked one resumed, before the worker came to say so: then they
        // wait for its next end.
        boolean last = end.status() != RunStatus.FAILED && end.status() != RunStatus.PARKED;
        lock.lock();
        try {
            waiters.getOrDefault(run, Set.of()).forEach(waiter -> {
                waiter.end = last ? end : null;
                waiter.look = true;
                waiter.bell.ring();
            });
        } finally {
            lock.unlock();
        }
    }

    /** Follows a run from the event of this number on. */
    Following follow(RunId run, long from) {
        row(run);
        return new LocalFollowing(this, environment, run, from);
    }

    /** The next events of a run, as many as come at once; {@code PD-203} once this is closed. */
    List<Recorded> history(RunId run, long from) {
        requireOpen();
        return store.history(tenant, run, from, PAGE, PAGE_BYTES);
    }

    RunRow row(RunId run) {
        return store.run(tenant, run)
                .orElseThrow(() -> Refusal.NO_SUCH_RUN.because("Tenant %s has no run %s.".formatted(tenant, run)));
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreException(ErrorCode.STORE_CLOSED, "This engine was closed.");
        }
    }

    /** One more waits for what a run does, and is rung for then. Each is to {@link #leave} once. */
    Waiter join(RunId run) {
        Waiter waiter = new Waiter(environment.bell());
        watch.join();
        lock.lock();
        try {
            waiters.computeIfAbsent(run, _ -> new HashSet<>()).add(waiter);
        } finally {
            lock.unlock();
        }
        return waiter;
    }

    void leave(RunId run, Waiter waiter) {
        lock.lock();
        try {
            Set<Waiter> all = waiters.get(run);
            if (all != null) {
                all.remove(waiter);
                if (all.isEmpty()) {
                    waiters.remove(run);
                }
            }
        } finally {
            lock.unlock();
        }
        watch.leave();
    }

    private void hinted(Hint hint) {
        switch (hint) {
            case Hint.Ended(TenantId of, RunId run) -> {
                if (of.equals(tenant)) {
                    ring(run);
                }
            }
            case Hint.Anything() -> ringAll();
            case Hint.Ready _ -> {
                // A run that goes on has not ended.
            }
        }
    }

    private void ring(RunId run) {
        lock.lock();
        try {
            waiters.getOrDefault(run, Set.of()).forEach(waiter -> waiter.bell.ring());
        } finally {
            lock.unlock();
        }
    }

    private void ringAll() {
        lock.lock();
        try {
            waiters.values().forEach(all -> all.forEach(waiter -> waiter.bell.ring()));
        } finally {
            lock.unlock();
        }
    }

    /** Whether nobody is to wait any more. */
    boolean waitsEnded() {
        return waitsEnded;
    }

    /** Ends every wait as if its time were over, those to come too. */
    void endWaits() {
        waitsEnded = true;
        ringAll();
    }

    @Override
    public void close() {
        closed = true;
        ringAll();
    }
}
