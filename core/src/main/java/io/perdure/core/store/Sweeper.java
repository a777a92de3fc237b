package io.perdure.core.store;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Removes about once a minute what has served its time, so that nothing grows without bound. It goes in steps of bounded size,
 * each a transaction of its own, and lets others run in between. A store that fails is tried again the next time.
 */
public final class Sweeper implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Sweeper.class.getPackageName());
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final int STEP_ROWS = 1_000;

    /** Between two steps, so that a writer who waits for the store's lock gets it. */
    private static final Duration BREATH = Duration.ofMillis(10);

    private final Store store;
    private final Environment environment;
    private final List<Sweep> swept;
    private final Bell bell;
    private volatile boolean closed;
    private volatile @Nullable RuntimeException failure;
    private @Nullable Thread thread;

    /** Sweeps these kinds, in this order. */
    public Sweeper(Store store, Environment environment, List<Sweep> swept) {
        this.store = store;
        this.environment = environment;
        this.swept = swept;
        this.bell = environment.bell();
    }

    /** Begins to sweep, about once a minute. */
    public void start() {
        thread = environment.start("perdure-sweeper", this::run);
    }

    /** Why the newest sweep failed; empty where it did not. */
    public Optional<RuntimeException> failure() {
        return Optional.ofNullable(failure);
    }

    /** Waits for the step that is under way, so that the store can be closed behind it. */
    @Override
    public void close() {
        closed = true;
        bell.ring();
        Thread running = thread;
        if (running != null) {
            try {
                running.join();
            } catch (InterruptedException e) {
                // Whoever closes is in a hurry. A step that meets a closed store does no harm.
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        try {
            while (!closed) {
                bell.await(untilNext());
                if (!closed) {
                    sweepAll();
                }
            }
        } catch (InterruptedException e) {
            // Nobody of ours interrupts this thread: who does wants it to end.
            Thread.currentThread().interrupt();
        }
    }

    /** Sweeps a step of each kind now: for a process that does not live long enough to do so in time. */
    public void sweepOnce() {
        try {
            for (Sweep what : swept) {
                store.sweep(what, STEP_ROWS);
            }
        } catch (RuntimeException e) {
            failure = e;
            LOG.log(System.Logger.Level.WARNING, "Sweeping failed; the next process to use the store sweeps.", e);
        }
    }

    /** Half a minute to a minute and a half, so that processes that started together do not sweep together. */
    private Duration untilNext() {
        return EVERY.dividedBy(2).plusMillis(environment.random().nextLong(EVERY.toMillis()));
    }

    private void sweepAll() throws InterruptedException {
        try {
            for (Sweep what : swept) {
                sweep(what);
            }
            failure = null;
        } catch (RuntimeException e) {
            if (!closed) {
                failure = e;
                LOG.log(System.Logger.Level.WARNING, "Sweeping failed and is tried again in about a minute.", e);
            }
        }
    }

    private void sweep(Sweep what) throws InterruptedException {
        while (!closed && store.sweep(what, STEP_ROWS) == STEP_ROWS) {
            bell.await(BREATH);
        }
    }
}
