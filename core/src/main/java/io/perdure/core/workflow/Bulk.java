package io.perdure.core.workflow;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.Pending;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.Store;
import io.perdure.sdk.id.RunId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Does the same to all runs that a filter finds, and that had started, or ended, when it began. A page of commits shares its flushes.
 */
final class Bulk {
    private static final int PAGE = 500;

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
        for (var status : action.passes(filter)) {
            RunQuery.Cursor place = null;
            do {
                Listing.Page page = listing.page(before.status(status), PAGE, place);
                if (!page.runs().isEmpty()) {
                    sofar = all(action, page.runs(), reason, sofar);
                    progress.accept(sofar);
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

    private BulkProgress all(BulkAction action, List<RunRow> runs, String reason, BulkProgress sofar) {
        Instant now = store.now();
        List<RunRow> meant = runs.stream()
                .filter(run -> action != BulkAction.REDRIVE || !Interventions.isPastDeadline(run, now))
                .toList();
        List<Pending> handed = new ArrayList<>(meant.size());
        for (RunRow run : meant) {
            handed.add(interventions.hand(run.id(), action.event(reason)));
        }
        long done = 0;
        for (int i = 0; i < handed.size(); i++) {
            RunId run = meant.get(i).id();
            if (isDone(action, run, handed.get(i).await())) {
                if (action == BulkAction.CANCEL) {
                    taken.accept(run);
                }
                done++;
            }
        }
        return new BulkProgress(sofar.matched(), sofar.done() + done, sofar.missed() + runs.size() - done);
    }

    /** False where somebody else was first. */
    private static boolean isDone(BulkAction action, RunId run, Outcome outcome) {
        if (outcome instanceof Outcome.Refused refused && action.isTooLate(refused.why())) {
            return false;
        }
        Interventions.requireAppended(run, outcome);
        return true;
    }
}
