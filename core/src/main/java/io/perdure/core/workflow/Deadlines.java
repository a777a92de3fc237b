package io.perdure.core.workflow;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.Pending;
import io.perdure.core.store.Store;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.logging.SparingLog;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Cancels runs past their deadline that no worker saw to: nobody has their code, or who works on them hangs. Others are cancelled by
 * their workers, so they get a while for it.
 */
final class Deadlines {
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final SparingLog log;
    private final Store store;
    private final TenantId tenant;
    private final Interventions interventions;
    private final Consumer<RunId> taken;

    /**
     * Cancels what is overdue in a store.
     *
     * @param taken is told of each run that was cancelled
     */
    Deadlines(Workflows.Setup setup, Interventions interventions, Consumer<RunId> taken) {
        this.log = new SparingLog(Deadlines.class, setup.environment());
        this.store = setup.store();
        this.tenant = setup.tenant();
        this.interventions = interventions;
        this.taken = taken;
    }

    /** Cancels at most so many, those first that are overdue longest; answers how many it cancelled. */
    int sweep(int limit) {
        Map<RunId, Pending> handed = new LinkedHashMap<>();
        for (RunId run : store.overdue(tenant, GRACE, limit)) {
            try {
                store.run(tenant, run)
                        .filter(row -> row.status() == RunStatus.RUNNING)
                        .ifPresent(row -> handed.put(run, interventions.handPastDeadline(run, row.deadline())));
            } catch (PerdureException e) {
                failed(run, e);
            }
        }
        return (int) handed.entrySet().stream()
                .filter(one -> isCancelled(one.getKey(), one.getValue()))
                .count();
    }

    private boolean isCancelled(RunId run, Pending handed) {
        try {
            // Refused where it has ended in the meantime, as it should.
            boolean cancelled = handed.await() instanceof Outcome.Appended;
            if (cancelled) {
                taken.accept(run);
            }
            return cancelled;
        } catch (PerdureException e) {
            failed(run, e);
            return false;
        }
    }

    /** One that cannot be cancelled keeps no other from it. */
    private void failed(RunId run, PerdureException e) {
        log.log(
                System.Logger.Level.WARNING,
                () -> "Run " + run + " is past its deadline and could not be cancelled.",
                e);
    }
}
