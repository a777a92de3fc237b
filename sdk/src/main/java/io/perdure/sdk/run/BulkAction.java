package io.perdure.sdk.run;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.history.RunStatus;
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
    public Set<RunStatus> statuses() {
        return switch (this) {
            case CANCEL -> Set.of(RunStatus.RUNNING, RunStatus.PARKED);
            case RESUME -> Set.of(RunStatus.PARKED);
            case REDRIVE -> Set.of(RunStatus.FAILED);
        };
    }
}
