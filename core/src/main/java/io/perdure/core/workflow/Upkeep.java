package io.perdure.core.workflow;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.Store;
import io.perdure.core.store.Sweep;
import io.perdure.core.store.Sweeper;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.worker.Claim;
import java.util.List;
import java.util.Optional;

/**
 * What an engine does by itself while it works: it says that it is alive and what it serves, cancels runs past their deadline, mends those
 * that nothing brings on, and removes those whose time is over.
 */
final class Upkeep implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Upkeep.class.getPackageName());

    private final Workflows.Setup setup;
    private final List<Claim.Served> served;
    private final ProcessId process;
    private final List<Sweeper> sweepers;

    Upkeep(Workflows.Setup setup, List<Claim.Served> served, Deadlines deadlines, Recovery recovery) {
        this.setup = setup;
        this.served = served;
        this.process = setup.environment().ids().processId();
        Limits.Upkeep limits = setup.limits().upkeep();
        Store store = setup.store();
        this.sweepers = List.of(
                new Sweeper(setup.environment(), limits.announceEvery(), 1, List.of(_ -> announce())),
                new Sweeper(
                        setup.environment(),
                        limits.recoverEvery(),
                        limits.retireRows(),
                        List.of(deadlines::sweep, _ -> recover(recovery, limits.recoverRows()))),
                new Sweeper(
                        setup.environment(),
                        limits.retireEvery(),
                        limits.retireRows(),
                        List.of(
                                rows -> store.sweep(Sweep.RETIRED_RUNS, rows),
                                rows -> store.sweep(Sweep.GONE_WORKERS, rows))));
    }

    /** Begins, after a first {@link #announce}. */
    void start() {
        sweepers.forEach(Sweeper::start);
    }

    /** Says that this process is there, and what it serves; answers nought, for there is no more of it to do at once. */
    int announce() {
        Limits.Upkeep limits = setup.limits().upkeep();
        setup.store()
                .announce(new Announcement(
                        setup.tenant(),
                        process,
                        setup.environment().processName(),
                        served,
                        setup.limits().workers().concurrency(),
                        limits.announceKept()));
        return 0;
    }

    private static int recover(Recovery recovery, int rows) {
        recovery.some(rows);
        return 0;
    }

    /** Why the newest of these chores failed; empty where none did. */
    Optional<RuntimeException> failure() {
        return sweepers.stream().flatMap(sweeper -> sweeper.failure().stream()).findFirst();
    }

    /** Says that this process is gone, where the store can still be told; else it is taken to be alive for a while. */
    @Override
    public void close() {
        sweepers.forEach(Sweeper::close);
        try {
            setup.store().withdraw(setup.tenant(), process);
        } catch (PerdureException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The store could not be told that this worker is gone. " + e.getMessage());
        }
    }
}
