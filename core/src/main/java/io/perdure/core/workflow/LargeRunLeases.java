package io.perdure.core.workflow;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.Store;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.logging.SparingLog;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Extends the leases of large runs that wait in this process. Safe for many threads. */
final class LargeRunLeases {
    private final Store store;
    private final TenantId tenant;
    private final Duration length;
    private final SparingLog log;

    LargeRunLeases(Store store, TenantId tenant, Duration length, Environment environment) {
        this.store = store;
        this.tenant = tenant;
        this.length = length;
        this.log = new SparingLog(LargeRunLeases.class, environment);
    }

    /** Extends one lease; returns the run with its new end, or null if the lease is lost. */
    @Nullable
    ClaimedRun extended(ClaimedRun run) {
        return switch (store.extend(List.of(extension(run))).getFirst()) {
            case Extended.Until(var until) ->
                new ClaimedRun(run.run(), run.workflow(), run.version(), run.receipt(), run.lapses(), until);
            case Extended.Lost _ -> null;
        };
    }

    /** Extends leases, and returns those that are lost. If the store does not answer, none is known to be. */
    Set<Receipt> extendAll(List<ClaimedRun> runs) {
        Set<Receipt> lost = new HashSet<>();
        try {
            List<Extended> answers = runs.isEmpty()
                    ? List.of()
                    : store.extend(runs.stream().map(this::extension).toList());
            for (int i = 0; i < answers.size(); i++) {
                if (answers.get(i) instanceof Extended.Lost) {
                    lost.add(runs.get(i).receipt());
                }
            }
        } catch (PerdureException e) {
            log.log(
                    System.Logger.Level.WARNING,
                    () -> "Leases of large runs could not be extended; it is tried again. " + e.getMessage());
        }
        return lost;
    }

    private Extend extension(ClaimedRun run) {
        return new Extend(tenant, run.receipt(), length);
    }
}
