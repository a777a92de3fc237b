package io.perdure.core.workflow;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.Pending;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.RunRow;
import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cancels all runs that a filter finds running or parked, and that had started when it began. A page of commits shares its flushes.
 *
 * <p>Runs go to and fro between the two statuses meanwhile. So it takes the parked ones, then the running ones, and those that were parked
 * in between once more: who was active all the time is met in one of them, unless it is resumed and parked over and over.
 */
final class Cancelling {
    private static final Set<RunStatus> ACTIVE = Set.of(RunStatus.RUNNING, RunStatus.PARKED);
    private static final List<RunStatus> PASSES = List.of(RunStatus.PARKED, RunStatus.RUNNING, RunStatus.PARKED);
    private static final int PAGE = 500;

    private final Store store;
    private final Listing listing;
    private final Interventions interventions;
    private final Consumer<RunId> taken;

    /**
     * Cancels what the listing finds.
     *
     * @param taken is told of each run that was cancelled
     */
    Cancelling(Store store, Listing listing, Interventions interventions, Consumer<RunId> taken) {
        this.store = store;
        this.listing = listing;
        this.interventions = interventions;
        this.taken = taken;
    }

    /** How many runs would be cancelled now. */
    long count(RunFilter filter) {
        requireCancellable(filter);
        return ACTIVE.stream()
                .filter(status -> filter.status() == null || filter.status() == status)
                .mapToLong(status -> listing.count(filter.status(status)))
                .sum();
    }

    /** Cancels them; tells how far it has come before the first page and after each. */
    Cancellation cancel(RunFilter filter, String reason, Consumer<Cancellation> progress) {
        RunFilter before = started(filter, store.now());
        Cancellation sofar = new Cancellation(count(before), 0, 0);
        progress.accept(sofar);
        List<RunStatus> passes = filter.status() == null ? PASSES : List.of(filter.status());
        for (RunStatus status : passes) {
            RunQuery.Cursor place = null;
            do {
                Listing.Page page = listing.page(before.status(status), PAGE, place);
                if (!page.runs().isEmpty()) {
                    sofar = cancel(page.runs(), reason, sofar);
                    progress.accept(sofar);
                }
                place = page.next();
            } while (place != null);
        }
        return sofar;
    }

    /** The same filter without those that start later. */
    private static RunFilter started(RunFilter filter, Instant now) {
        Instant until = filter.until();
        return until == null || until.isAfter(now) ? filter.until(now.plus(1, ChronoUnit.MICROS)) : filter;
    }

    /** Throws {@code PD-007} for a filter of ended runs. */
    static void requireCancellable(RunFilter filter) {
        RunStatus asked = filter.status();
        if (asked != null && !ACTIVE.contains(asked)) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS,
                    "Runs that are %s cannot be cancelled; only running and parked ones can.".formatted(asked.word()));
        }
    }

    private Cancellation cancel(List<RunRow> runs, String reason, Cancellation sofar) {
        List<Pending> handed = new ArrayList<>(runs.size());
        for (RunRow run : runs) {
            handed.add(interventions.handCancel(run.id(), reason));
        }
        long cancelled = 0;
        for (int i = 0; i < handed.size(); i++) {
            RunId run = runs.get(i).id();
            if (isCancelled(run, handed.get(i).await())) {
                taken.accept(run);
                cancelled++;
            }
        }
        return new Cancellation(
                sofar.matched(), sofar.cancelled() + cancelled, sofar.missed() + runs.size() - cancelled);
    }

    /** False where it ended, or was swept, before. */
    private static boolean isCancelled(RunId run, Outcome outcome) {
        @Nullable Refusal why = outcome instanceof Outcome.Refused refused ? refused.why() : null;
        if (why == Refusal.RUN_ENDED || why == Refusal.NO_SUCH_RUN) {
            return false;
        }
        Interventions.requireAppended(run, outcome);
        return true;
    }
}
