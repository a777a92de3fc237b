package io.perdure.sdk.run;

import io.perdure.sdk.id.RunId;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What whoever runs the system does with its runs: to many at once, between versions, and for their upkeep. Safe for many threads. */
public interface Operations {
    /** To how many runs {@link #inBulk} would do something. {@code PD-007} for a filter of runs in a status to which it cannot be done. */
    long count(BulkAction action, RunFilter filter);

    /**
     * Cancels, resumes or redrives all runs that a filter finds, each as if alone; those that start, or end, meanwhile are left alone.
     * {@code PD-007} for a filter of runs in a status to which it cannot be done. Where it breaks off, what was done stays so, and it can be
     * called again.
     *
     * @param reason why, for whoever reads their histories
     * @param progress is told how many there are before the first, and how far it has come after every few hundred
     */
    BulkProgress inBulk(BulkAction action, RunFilter filter, String reason, Consumer<BulkProgress> progress);

    /** The same, telling nobody how far it has come. */
    default BulkProgress inBulk(BulkAction action, RunFilter filter, String reason) {
        return inBulk(action, filter, reason, _ -> {});
    }

    /**
     * Whether a run that is running or parked could go on with a version of its workflow that is registered here ({@code PD-508} where it is
     * not): replays the run's history with that version's code. Nothing is changed, and no step is run. {@code PD-301} where there is no
     * such run, {@code PD-302} where it has ended.
     */
    Fit check(RunId run, int version);

    /**
     * Has a run that is running or parked go on with another version, if {@link #check} says that it fits ({@code PD-315} where it does not).
     * {@code PD-313} (a {@code UniqueConflictException}) where the run has gone on since it was looked at, {@code PD-304} while somebody works
     * on it.
     *
     * @param reason why, for whoever reads its history
     */
    Fit move(RunId run, int version, String reason);

    /**
     * Looks for runs that nothing brings on, among all there are, and mends them: steps that overran their time and were not ended by whoever
     * works on them, and runs whose message was lost. An engine that works does so by itself, with some of the runs each minute.
     */
    RecoveryReport recover();

    /** How many runs were mended, for each reason, by the engine since it was opened; over HTTP, by the server that answers since it was started. */
    Map<RecoveryReason, Long> recovered();

    /** The workers that are alive, in whatever process, with what they serve. */
    List<LiveWorker> workers();
}
