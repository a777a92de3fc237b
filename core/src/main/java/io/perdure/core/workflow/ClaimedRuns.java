package io.perdure.core.workflow;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.logging.SparingLog;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives up runs that were claimed and are not begun. The numbers of their last events need not have been read, for a wrong one is answered with the
 * right one. Safe for many threads.
 */
final class ClaimedRuns {
    /** How long runs are let go of that cannot be begun for a reason that says nothing of them. */
    private static final Duration LATER = Duration.ofSeconds(1);

    private final Ledger ledger;
    private final TenantId tenant;
    private final SparingLog log;

    ClaimedRuns(Ledger ledger, TenantId tenant, Environment environment) {
        this.ledger = ledger;
        this.tenant = tenant;
        this.log = new SparingLog(ClaimedRuns.class, environment);
    }

    /** Lets go of runs as they were claimed: they are due then, for anybody. */
    void letGo(List<ClaimedRun> runs, Due due) {
        try {
            commit(runs, List.of(), Release.until(due));
        } catch (PerdureException e) {
            log.log(
                    System.Logger.Level.WARNING,
                    () -> "Runs that were claimed could not be let go of, and go on once their leases have ended. "
                            + e.getMessage());
        }
    }

    /** Lets go of runs for a second that cannot be begun now, through no fault of theirs. Their counts of lapsed leases stay as they are. */
    void postpone(List<ClaimedRun> runs) {
        letGo(runs, Due.in(LATER));
    }

    /** Lets go of a run for a second, and logs the reason, which says nothing of the run. */
    void postpone(ClaimedRun run, Throwable why) {
        log.log(
                System.Logger.Level.WARNING,
                () -> "Run " + run.run() + " cannot be read now and is released for " + LATER.toSeconds() + " s. "
                        + why);
        postpone(List.of(run));
    }

    /** Parks a run that cannot be read; it waits to be resumed. */
    void park(ClaimedRun run, String reason, String detail, String logged) {
        try {
            commit(List.of(run), List.of(new Draft(new Event.RunParked(reason, detail))), null);
            log.log(
                    System.Logger.Level.WARNING,
                    () -> "Run " + run.run() + " of " + run.workflow() + "@" + run.version() + " is parked. " + logged
                            + " After the repair, run `perdure runs resume " + run.run() + "`.");
        } catch (PerdureException e) {
            log.log(
                    System.Logger.Level.WARNING,
                    () -> "Run " + run.run() + " cannot be read, and could not be parked. " + e.getMessage());
        }
    }

    private void commit(List<ClaimedRun> runs, List<Draft> events, @Nullable Release release) {
        List<Outcome> outcomes = ledger.commitAll(
                runs.stream().map(run -> advance(run, 1, events, release)).toList());
        List<RunCommit> again = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            // Whatever else it may be answered with, it is ours no more.
            if (outcomes.get(i) instanceof Outcome.Conflict(long last)) {
                again.add(advance(runs.get(i), last + 1, events, release));
            }
        }
        ledger.commitAll(again);
    }

    private RunCommit advance(ClaimedRun run, long seq, List<Draft> events, @Nullable Release release) {
        return new RunCommit.Advance(tenant, run.run(), run.receipt().token(), seq, events, List.of(), release);
    }
}
