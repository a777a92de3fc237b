package io.perdure.core.workflow;

import io.perdure.core.store.Store;
import io.perdure.core.store.Sweep;
import io.perdure.core.store.Sweeper;
import io.perdure.sdk.UpkeepLimits;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.Logs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What an engine does by itself for the runs of a store: it cancels those past their deadline, mends those that nothing brings on, and removes
 * those whose time is over.
 */
final class Upkeep {
    private static final System.Logger LOG = Logs.of(Upkeep.class);

    /** How long a virtual thread has to end when the time to drain is over. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final Environment environment;
    private final List<Sweeper> sweepers;
    private final boolean virtual;

    private Upkeep(Environment environment, List<Sweeper> sweepers, boolean virtual) {
        this.environment = environment;
        this.sweepers = sweepers;
        this.virtual = virtual;
    }

    /** Begins with the runs of one tenant, and with what is removed for all of them. */
    static Upkeep ofStore(Workflows.Setup setup, Deadlines deadlines, Recovery recovery) {
        UpkeepLimits limits = setup.limits().upkeep();
        Store store = setup.store();
        List<Sweeper> sweepers = new ArrayList<>();
        sweepers.add(ofRuns(setup, deadlines, recovery));
        sweepers.add(new Sweeper(
                setup.environment(),
                limits.retireEvery(),
                limits.retireRows(),
                List.of(
                        rows -> store.sweep(Sweep.RETIRED_RUNS, rows),
                        rows -> store.sweep(Sweep.GONE_WORKERS, rows),
                        rows -> store.sweep(Sweep.NOTED_REQUESTS, rows))));
        sweepers.forEach(Sweeper::start);
        return new Upkeep(setup.environment(), sweepers, false);
    }

    /** Begins with the runs of one tenant, beside an upkeep of their store. */
    static Upkeep ofTenant(Workflows.Setup setup, Deadlines deadlines, Recovery recovery) {
        Sweeper sweeper = ofRuns(setup, deadlines, recovery);
        sweeper.startVirtual();
        return new Upkeep(setup.environment(), List.of(sweeper), true);
    }

    private static Sweeper ofRuns(Workflows.Setup setup, Deadlines deadlines, Recovery recovery) {
        UpkeepLimits limits = setup.limits().upkeep();
        return new Sweeper(
                setup.environment(),
                limits.recoverEvery(),
                limits.retireRows(),
                List.of(deadlines::sweep, _ -> recover(recovery, limits.recoverRows())));
    }

    private static int recover(Recovery recovery, int rows) {
        recovery.some(rows);
        return 0;
    }

    /** Why the newest of these chores failed; empty where none did. */
    Optional<RuntimeException> failure() {
        return sweepers.stream().flatMap(sweeper -> sweeper.failure().stream()).findFirst();
    }

    /**
     * Ends, and waits for the step that is in progress. A virtual thread gets no carrier while steps of runs compute on all of them, so it is waited for only
     * until shortly after the given time.
     *
     * @param untilNanos when the time to drain is over, by the environment's nanoseconds
     */
    void closeBy(long untilNanos) {
        if (!virtual) {
            closeSweepers();
            return;
        }
        Bell bell = environment.bell();
        AtomicBoolean ended = new AtomicBoolean();
        try {
            environment.startApart("perdure-upkeep-end", () -> {
                closeSweepers();
                ended.set(true);
                bell.ring();
            });
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.WARNING, "No thread could be started that waits for the upkeep to end. " + e);
            closeSweepers();
            return;
        }
        try {
            long deadline = untilNanos + GRACE.toNanos();
            long left = deadline - environment.nanoTime();
            while (!ended.get() && left > 0) {
                bell.await(Duration.ofNanos(left));
                left = deadline - environment.nanoTime();
            }
        } catch (InterruptedException e) {
            // The caller does not want to wait. A step that meets a closed store does no harm.
            Thread.currentThread().interrupt();
        }
    }

    private void closeSweepers() {
        sweepers.forEach(Sweeper::close);
    }
}
