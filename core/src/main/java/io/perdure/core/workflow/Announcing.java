package io.perdure.core.workflow;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.Sweeper;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.UpkeepLimits;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.worker.Claim;
import java.util.List;
import java.util.Optional;

/** Says, again and again, that a worker is alive and what it serves; and in the end, that it is gone. */
final class Announcing implements AutoCloseable {
    private static final System.Logger LOG = Logs.of(Announcing.class);

    private final Workflows.Setup setup;
    private final List<Claim.Served> served;
    private final ProcessId process;
    private final Sweeper sweeper;

    Announcing(Workflows.Setup setup, List<Claim.Served> served) {
        this.setup = setup;
        this.served = served;
        this.process = setup.environment().ids().processId();
        this.sweeper =
                new Sweeper(setup.environment(), setup.limits().upkeep().announceEvery(), 1, List.of(_ -> announce()));
    }

    /** Says so for the first time, before anything runs that would have to be stopped again. */
    void begin() {
        announce();
    }

    /** Goes on saying so. */
    void start() {
        sweeper.start();
    }

    /** Answers nought, for there is no more of it to do at once. */
    private int announce() {
        UpkeepLimits limits = setup.limits().upkeep();
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

    /** Why it could not be said lately; empty where it could. */
    Optional<RuntimeException> failure() {
        return sweeper.failure();
    }

    /** Says that the worker is gone, where the store can still be told; else it is taken to be alive for a while. */
    @Override
    public void close() {
        sweeper.close();
        try {
            setup.store().withdraw(setup.tenant(), process);
        } catch (PerdureException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The store could not be told that this worker is gone. " + e.getMessage());
        }
    }
}
