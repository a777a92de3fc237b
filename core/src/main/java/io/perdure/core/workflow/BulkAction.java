package io.perdure.core.workflow;

import io.perdure.core.store.Refusal;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What can be done to many runs at once. */
public enum BulkAction {
    /** They are cancelled. */
    CANCEL("cancelled"),
    /** They are put back to work, each with its own version. */
    RESUME("resumed"),
    /** They are put back to work where they failed, their attempts counted anew. */
    REDRIVE("redriven");

    private static final Set<Refusal> TOO_LATE =
            Set.of(Refusal.RUN_ENDED, Refusal.NO_SUCH_RUN, Refusal.NOT_ALLOWED, Refusal.WORKFLOW_ID_HELD);

    private final String word;

    BulkAction(String word) {
        this.word = word;
    }

    /** What becomes of a run: {@code cancelled}, {@code resumed} or {@code redriven}. */
    public String word() {
        return word;
    }

    /** Throws {@code PD-007} for a filter of runs in a status to which this cannot be done. */
    public void require(RunFilter filter) {
        RunStatus asked = filter.status();
        if (asked != null && !statuses().contains(asked)) {
            String possible = statuses().stream().map(RunStatus::word).sorted().collect(Collectors.joining(" and "));
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS,
                    "Runs that are %s cannot be %s; only those that are %s can."
                            .formatted(asked.word(), word, possible));
        }
    }

    /** The statuses in which it can be done to a run. */
    Set<RunStatus> statuses() {
        return switch (this) {
            case CANCEL -> Set.of(RunStatus.RUNNING, RunStatus.PARKED);
            case RESUME -> Set.of(RunStatus.PARKED);
            case REDRIVE -> Set.of(RunStatus.FAILED);
        };
    }

    /**
     * The statuses of the runs to take, one after another. Runs go to and fro between running and parked while they are cancelled. So the
     * parked ones are taken, then the running ones, and those that were parked in between once more: who was active all the time is met in
     * one of them, unless it is resumed and parked over and over.
     */
    List<RunStatus> passes(RunFilter filter) {
        RunStatus asked = filter.status();
        if (asked != null) {
            return List.of(asked);
        }
        return this == CANCEL
                ? List.of(RunStatus.PARKED, RunStatus.RUNNING, RunStatus.PARKED)
                : List.copyOf(statuses());
    }

    Event event(String reason) {
        return switch (this) {
            case CANCEL -> new Event.RunCancelled(Interventions.USER, reason);
            case RESUME -> new Event.RunResumed(Interventions.USER, reason, null);
            case REDRIVE -> new Event.RunRedriven(Interventions.USER, reason);
        };
    }

    /** Whether a run is left alone that is refused for this. */
    boolean isTooLate(Refusal why) {
        return TOO_LATE.contains(why);
    }
}
