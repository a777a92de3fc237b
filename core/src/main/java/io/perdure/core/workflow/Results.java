package io.perdure.core.workflow;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.SharedWatch;
import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets callers wait for the end of runs, whoever works on them. A waiter joins, looks, and waits to be told: what ended in
 * between was either seen by that look or hinted at after it. Hints can be lost, so it looks again after 5 s, and half as often
 * each time, down to once in 30 s. The store is watched only while somebody waits.
 */
final class Results implements AutoCloseable {
    private static final Duration LOOK_WITHIN = Duration.ofSeconds(5);
    private static final Duration LOOK_WITHIN_AT_REST = Duration.ofSeconds(30);

    private final Store store;
    private final Environment environment;
    private final TenantId tenant;
    /** Guards the waiters. The listener takes it, so no call of the store is made under it. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<RunId, Set<Bell>> waiters = new HashMap<>();
    private final SharedWatch watch;
    private volatile boolean closed;

    Results(Store store, Environment environment, TenantId tenant) {
        this.store = store;
        this.environment = environment;
        this.tenant = tenant;
        this.watch = new SharedWatch(store, this::hinted);
    }

    /** The run, once it has ended; as it is, where the time is over before. Throws {@code PD-301} where there is none. */
    RunRow await(RunId run, Duration atMost) throws InterruptedException {
        long deadline = environment.nanoTime() + Math.min(TimeUnit.NANOSECONDS.convert(atMost), Long.MAX_VALUE / 2);
        Bell bell = environment.bell();
        watch.join();
        try {
            join(run, bell);
            Duration lookWithin = LOOK_WITHIN;
            while (true) {
                requireOpen();
                RunRow row = row(run);
                long left = deadline - environment.nanoTime();
                if (row.status().isTerminal() || left <= 0) {
                    return row;
                }
                bell.await(Duration.ofNanos(Math.min(left, lookWithin.toNanos())));
                lookWithin = lookWithin.multipliedBy(2);
                if (lookWithin.compareTo(LOOK_WITHIN_AT_REST) > 0) {
                    lookWithin = LOOK_WITHIN_AT_REST;
                }
            }
        } finally {
            leave(run, bell);
            watch.leave();
        }
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

    private void join(RunId run, Bell bell) {
        lock.lock();
        try {
            waiters.computeIfAbsent(run, _ -> new HashSet<>()).add(bell);
        } finally {
            lock.unlock();
        }
    }

    private void leave(RunId run, Bell bell) {
        lock.lock();
        try {
            Set<Bell> bells = waiters.get(run);
            if (bells != null) {
                bells.remove(bell);
                if (bells.isEmpty()) {
                    waiters.remove(run);
                }
            }
        } finally {
            lock.unlock();
        }
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
            waiters.getOrDefault(run, Set.of()).forEach(Bell::ring);
        } finally {
            lock.unlock();
        }
    }

    private void ringAll() {
        lock.lock();
        try {
            waiters.values().forEach(bells -> bells.forEach(Bell::ring));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        closed = true;
        ringAll();
    }
}
