package io.perdure.core.workflow;

import io.perdure.core.store.Store;
import io.perdure.core.store.Sweep;
import io.perdure.core.store.Sweeper;
import io.perdure.sdk.UpkeepLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an engine does by itself for the runs of a store: it cancels those past their deadline, mends those that nothing brings on, and removes
 * those whose time is over.
 */
final class Upkeep implements AutoCloseable {
    private final List<Sweeper> sweepers;

    private Upkeep(List<Sweeper> sweepers) {
        this.sweepers = sweepers;
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
        return new Upkeep(sweepers);
    }

    /** Begins with the runs of one tenant, beside an upkeep of their store. */
    static Upkeep ofTenant(Workflows.Setup setup, Deadlines deadlines, Recovery recovery) {
        Sweeper sweeper = ofRuns(setup, deadlines, recovery);
        sweeper.startVirtual();
        return new Upkeep(List.of(sweeper));
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

    @Override
    public void close() {
        sweepers.forEach(Sweeper::close);
    }
}
