package io.perdure.core.workflow;

import io.perdure.core.store.Inspect;
import io.perdure.core.store.Inspected;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Pending;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.core.store.Store;
import io.perdure.core.store.Suspect;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.logging.SparingLog;
import io.perdure.sdk.run.RecoveryReason;
import io.perdure.sdk.run.RecoveryReport;
import io.perdure.sdk.run.RecoveryReport.Recovered;
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
import java.util.UUID;
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
    private static final int PAGE = 1_000;
    private static final int MOST_NAMED = 1_000;
    private static final Duration NEWEST = Duration.ofDays(1);
    private static final RunId FIRST_ID = new RunId(new UUID(0, 0));

    private final Workflows.Setup setup;
    private final SparingLog log;
    private final Registry registry;
    private final Store store;
    private final Duration grace;
    private final Map<RecoveryReason, Long> sofar = new EnumMap<>(RecoveryReason.class);
    /** Where the sweep that is done by and by has come to, and how often it came to the end. */
    private RunQuery.@Nullable Cursor place;

    private int laps;

    Recovery(Workflows.Setup setup, Registry registry) {
        this.setup = setup;
        this.log = new SparingLog(Recovery.class, setup.environment());
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
        if (laps == 0 && place == null) {
            place = at(store.now().minus(NEWEST));
        }
        for (int looked = 0; looked < rows; looked += PAGE) {
            place = page(place, tally);
            if (place == null) {
                laps++;
                place = laps == 1 ? somewhere() : null;
                break;
            }
        }
        return tally.report();
    }

    /**
     * First the newest runs, which are most likely to run, then on from anywhere: processes that come and go, and many at once, look at
     * different ones, and not at the oldest again and again.
     */
    private RunQuery.Cursor somewhere() {
        long days = setup.limits().runs().retentionDaysMax();
        return at(store.now()
                .minusSeconds(setup.environment()
                        .random()
                        .nextLong(Duration.ofDays(days).toSeconds())));
    }

    private static RunQuery.Cursor at(Instant time) {
        return new RunQuery.Cursor(time, FIRST_ID);
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
        mend(store.inspect(request).suspects(), true, tally);
    }

    private RunQuery.@Nullable Cursor page(RunQuery.@Nullable Cursor after, Tally tally) {
        Inspected page = store.inspect(new Inspect(setup.tenant(), Inspect.Scope.ALL, grace, after, PAGE));
        mend(page.suspects(), false, tally);
        return page.next();
    }

    /** A remedy on its way to its run. */
    private record Handed(RunRow run, Remedy remedy, Pending pending) {}

    /**
     * Mends runs, all of which share their flushes.
     *
     * @param leased whether somebody is at work on them, unless they have lost their message
     */
    private void mend(List<Suspect> suspects, boolean leased, Tally tally) {
        Instant overdueSince = store.now().minus(grace);
        List<Handed> handed = new ArrayList<>();
        for (Suspect suspect : suspects) {
            try {
                // Else it is a timer that is due, or waits for a worker, and goes on by itself.
                if (leased || !suspect.hasMessage()) {
                    hand(suspect, overdueSince).ifPresent(handed::add);
                }
            } catch (PerdureException e) {
                failed(suspect.run(), e);
            }
        }
        for (Handed one : handed) {
            try {
                // Refused where somebody was first, and it goes on, or is over.
                if (one.pending().await() instanceof Outcome.Appended) {
                    mended(one, tally);
                }
            } catch (PerdureException e) {
                failed(one.run().id(), e);
            }
        }
    }

    /** One that cannot be mended keeps no other from it. */
    private void failed(RunId run, PerdureException e) {
        log.log(System.Logger.Level.WARNING, () -> "Run " + run + " does not go on, and could not be mended.", e);
    }

    private Optional<Handed> hand(Suspect suspect, Instant overdueSince) {
        return store.run(setup.tenant(), suspect.run())
                .filter(run -> run.status() == RunStatus.RUNNING)
                .flatMap(run -> Remedy.ofTimeout(suspect, overdueSince)
                        .or(() -> suspect.hasMessage() ? Optional.empty() : ofLostMessage(suspect))
                        .map(remedy -> new Handed(run, remedy, hand(run, remedy))));
    }

    private Pending hand(RunRow run, Remedy remedy) {
        return setup.ledger()
                .hand(new RunCommit.Intervene(
                        setup.tenant(), run.id(), OptionalLong.of(remedy.last()), remedy.events(), remedy.ready()));
    }

    private void mended(Handed one, Tally tally) {
        RunRow run = one.run();
        RecoveryReason reason = one.remedy().reason();
        log.log(
                System.Logger.Level.INFO,
                () -> "Run " + run.id() + " of " + run.definition().workflow() + " did not go on and was mended: "
                        + reason.word() + ".");
        tally.add(new Recovered(run.id(), run.definition().workflow(), reason));
    }

    private Optional<Remedy> ofLostMessage(Suspect suspect) {
        SizedSnapshots found = store.snapshots(
                setup.tenant(),
                List.of(suspect.run()),
                ReadBound.ofWorker(setup.limits()).bytes());
        if (!found.unread().isEmpty()) {
            return Remedy.ofLargeRun(suspect);
        }
        return found.read().stream()
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
