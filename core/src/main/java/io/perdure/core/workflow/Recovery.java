package io.perdure.core.workflow;

import io.perdure.core.store.Inspect;
import io.perdure.core.store.Inspected;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Pending;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Store;
import io.perdure.core.store.Suspect;
import io.perdure.core.workflow.RecoveryReport.Recovered;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds runs that nothing brings on, and mends them. A run has its message from its start to its end, in one commit with all that
 * happens to it, so there should be none; but rows are deleted by hand, backups are put together from parts, and steps hang and
 * heed no interrupt.
 *
 * <p>Safe beside workers and other sweeps: what mends a run is appended only if the event that it was decided by is still the last, and
 * takes the lease away from whoever holds it. Who comes second has lost, and nothing happened.
 */
final class Recovery {
    private static final System.Logger LOG = System.getLogger(Recovery.class.getPackageName());
    private static final int PAGE = 1_000;
    private static final int MOST_NAMED = 1_000;

    private final Workflows.Setup setup;
    private final Registry registry;
    private final Store store;
    private final Duration grace;
    private final Map<RecoveryReason, Long> sofar = new EnumMap<>(RecoveryReason.class);
    /** Where the sweep that is done by and by has come to. */
    private RunQuery.@Nullable Cursor place;

    Recovery(Workflows.Setup setup, Registry registry) {
        this.setup = setup;
        this.registry = registry;
        this.store = setup.store();
        this.grace = setup.limits().upkeep().recoverGrace();
    }

    /** Looks at every run; answers what was mended. */
    RecoveryReport all() {
        Tally tally = new Tally();
        leased(tally);
        RunQuery.Cursor at = null;
        do {
            at = page(at, tally);
        } while (at != null);
        return tally.report();
    }

    /** Looks at those that are worked on, and at so many others, from where it stopped the time before. */
    synchronized RecoveryReport some(int rows) {
        Tally tally = new Tally();
        leased(tally);
        for (int looked = 0; looked < rows; looked += PAGE) {
            place = page(place, tally);
            if (place == null) {
                break;
            }
        }
        return tally.report();
    }

    /** How many runs were mended here since the engine was opened. */
    Map<RecoveryReason, Long> figures() {
        synchronized (sofar) {
            return new RecoveryReport(List.of(), sofar).counts();
        }
    }

    private void leased(Tally tally) {
        Inspect request = new Inspect(
                setup.tenant(),
                Inspect.Scope.LEASED,
                grace,
                null,
                setup.limits().calls().pageRows());
        mend(store.inspect(request).suspects(), tally);
    }

    private RunQuery.@Nullable Cursor page(RunQuery.@Nullable Cursor after, Tally tally) {
        Inspected page = store.inspect(new Inspect(setup.tenant(), Inspect.Scope.RUNNING, grace, after, PAGE));
        mend(page.suspects(), tally);
        return page.next();
    }

    private void mend(List<Suspect> suspects, Tally tally) {
        Instant overdueSince = store.now().minus(grace);
        for (Suspect suspect : suspects) {
            try {
                mend(suspect, overdueSince, tally);
            } catch (PerdureException e) {
                // One that cannot be mended keeps no other from it.
                LOG.log(
                        System.Logger.Level.WARNING,
                        "Run " + suspect.run() + " does not go on, and could not be mended.",
                        e);
            }
        }
    }

    private void mend(Suspect suspect, Instant overdueSince, Tally tally) {
        Optional<Remedy> timeout = Remedy.ofTimeout(suspect, overdueSince);
        if (timeout.isEmpty() && suspect.hasMessage()) {
            // A timer that is due, which a worker will see to.
            return;
        }
        Optional<RunRow> row =
                store.run(setup.tenant(), suspect.run()).filter(run -> run.status() == RunStatus.RUNNING);
        if (row.isEmpty()) {
            return;
        }
        Optional<Remedy> remedy = timeout.or(() -> ofLostMessage(row.get()));
        if (remedy.isPresent() && isApplied(row.get(), remedy.get())) {
            tally.add(new Recovered(
                    suspect.run(),
                    row.get().definition().workflow(),
                    remedy.get().reason()));
        }
    }

    private Optional<Remedy> ofLostMessage(RunRow row) {
        return store.snapshots(setup.tenant(), List.of(row.id())).stream()
                // Read anew: somebody else may have mended it, or it is over.
                .filter(run -> run.run().status() == RunStatus.RUNNING && run.message() == null)
                .findFirst()
                .flatMap(run -> Remedy.ofLostMessage(run, kind(run)));
    }

    private @Nullable RunKind kind(RunSnapshot run) {
        RunKind recorded = run.run().definition().kind();
        Integer version = run.run().version();
        if (recorded != null || version == null) {
            return recorded;
        }
        return registry.find(run.run().definition().workflow(), version)
                .map(WorkflowDefinition::kind)
                .orElse(null);
    }

    private boolean isApplied(RunRow row, Remedy remedy) {
        Pending handed = setup.ledger()
                .hand(new RunCommit.Intervene(
                        setup.tenant(), row.id(), OptionalLong.of(remedy.last()), remedy.events(), remedy.ready()));
        // Else somebody was first, and it goes on, or is over.
        boolean applied = handed.await() instanceof Outcome.Appended;
        if (applied) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "Run {0} of {1} did not go on and was mended: {2}",
                    row.id(),
                    row.definition().workflow(),
                    remedy.reason().word());
        }
        return applied;
    }

    /** What one sweep has mended. */
    private final class Tally {
        private final List<Recovered> recovered = new ArrayList<>();
        private final Map<RecoveryReason, Long> counts = new EnumMap<>(RecoveryReason.class);

        void add(Recovered run) {
            if (recovered.size() < MOST_NAMED) {
                recovered.add(run);
            }
            counts.merge(run.reason(), 1L, Long::sum);
            synchronized (sofar) {
                sofar.merge(run.reason(), 1L, Long::sum);
            }
        }

        RecoveryReport report() {
            return new RecoveryReport(recovered, counts);
        }
    }
}
