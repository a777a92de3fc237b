package io.perdure.core.workflow;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.Pending;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.Store;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.BulkProgress;
import io.perdure.sdk.run.RunFilter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Does the same to all runs that a filter finds, and that had started, or ended, when it began. A page of commits shares its flushes.
 */
final class Bulk {
    private static final int PAGE = 500;

    /** A run that is refused for one of these is left alone: somebody else was first. */
    private static final Set<Refusal> TOO_LATE =
            Set.of(Refusal.RUN_ENDED, Refusal.NO_SUCH_RUN, Refusal.NOT_ALLOWED, Refusal.WORKFLOW_ID_HELD);

    private final Store store;
    private final Listing listing;
    private final Interventions interventions;
    private final Consumer<RunId> taken;

    /**
     * Does it to what the listing finds.
     *
     * @param taken is told of each run that was cancelled
     */
    Bulk(Store store, Listing listing, Interventions interventions, Consumer<RunId> taken) {
        this.store = store;
        this.listing = listing;
        this.interventions = interventions;
        this.taken = taken;
    }

    /** To how many runs it would be done now. */
    long count(BulkAction action, RunFilter filter) {
        action.require(filter);
        return action.statuses().stream()
                .filter(status -> filter.status() == null || filter.status() == status)
                .mapToLong(status -> listing.count(filter.status(status)))
                .sum();
    }

    /** Does it; tells how far it has come before the first page and after each. */
    BulkProgress all(BulkAction action, RunFilter filter, String reason, Consumer<BulkProgress> progress) {
        RunFilter before = before(filter, store.now());
        BulkProgress sofar = new BulkProgress(count(action, filter), 0, 0);
        progress.accept(sofar);
        for (var status : passes(action, filter)) {
            RunQuery.Cursor place = null;
            do {
                Listing.Page page = listing.page(before.status(status), PAGE, place);
                if (!page.runs().isEmpty()) {
                    Tally tally = all(action, page.runs(), reason);
                    sofar = tally.added(sofar);
                    progress.accept(sofar);
                    tally.throwFailure();
                }
                place = page.next();
            } while (place != null);
        }
        return sofar;
    }

    /** The same filter without those that start, or end, later. */
    private static RunFilter before(RunFilter filter, Instant now) {
        Instant until = filter.until();
        return until == null || until.isAfter(now) ? filter.until(now.plus(1, ChronoUnit.MICROS)) : filter;
    }

    /** What became of a page. */
    private static final class Tally {
        private long done;
        private long missed;
        private @Nullable PerdureException failure;

        BulkProgress added(BulkProgress sofar) {
            return new BulkProgress(sofar.matched(), sofar.done() + done, sofar.missed() + missed);
        }

        /** The first counts. */
        void failed(PerdureException why) {
            failure = failure == null ? why : failure;
        }

        void throwFailure() {
            if (failure != null) {
                throw failure;
            }
        }
    }

    /** Does it to a page. Where some fail, the others stand: all are waited for. */
    private Tally all(BulkAction action, List<RunRow> runs, String reason) {
        Tally tally = new Tally();
        Instant now = store.now();
        List<RunRow> meant = runs.stream()
                .filter(run -> action != BulkAction.REDRIVE || !Interventions.isPastDeadline(run, now))
                .toList();
        List<Pending> handed = new ArrayList<>(meant.size());
        try {
            meant.forEach(run -> handed.add(interventions.hand(run.id(), event(action, reason))));
        } catch (StoreException e) {
            // Closed in between.
            tally.failed(e);
        }
        tally.missed = (long) runs.size() - meant.size();
        for (int i = 0; i < handed.size(); i++) {
            RunId run = meant.get(i).id();
            try {
                boolean done = isDone(run, handed.get(i).await());
                tally.done += done ? 1 : 0;
                tally.missed += done ? 0 : 1;
                if (done && action == BulkAction.CANCEL) {
                    taken.accept(run);
                }
            } catch (PerdureException e) {
                tally.failed(e);
            }
        }
        return tally;
    }

    /** False where somebody else was first. */
    private static boolean isDone(RunId run, Outcome outcome) {
        if (outcome instanceof Outcome.Refused refused && TOO_LATE.contains(refused.why())) {
            return false;
        }
        Interventions.requireAppended(run, outcome);
        return true;
    }

    /**
     * The statuses of the runs to take, one after another. Runs go to and fro between running and parked while they are cancelled. So the
     * parked ones are taken, then the running ones, and those that were parked in between once more: who was active all the time is met in
     * one of them, unless it is resumed and parked over and over.
     */
    private static List<RunStatus> passes(BulkAction action, RunFilter filter) {
        RunStatus asked = filter.status();
        if (asked != null) {
            return List.of(asked);
        }
        return action == BulkAction.CANCEL
                ? List.of(RunStatus.PARKED, RunStatus.RUNNING, RunStatus.PARKED)
                : List.copyOf(action.statuses());
    }

    private static Event event(BulkAction action, String reason) {
        return switch (action) {
            case CANCEL -> new Event.RunCancelled(Interventions.USER, reason);
            case RESUME -> new Event.RunResumed(Interventions.USER, reason, null);
            case REDRIVE -> new Event.RunRedriven(Interventions.USER, reason);
        };
    }
}
