package io.perdure.sdk.run;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;

/**
 * Whether a run could go on with a version of its workflow, as a replay of its history by that version's code says. Nothing was changed,
 * and no step was run.
 *
 * @param last the number of the run's last event when it was looked at
 * @param fits whether every call of the code is what the history has recorded in its place, as far as it goes, and it does
 *     not fail then
 * @param detail what the code would do next; where it does not fit, what was recorded, what was asked for and where
 */
public record Fit(RunId run, WorkflowName workflow, int version, long last, boolean fits, String detail) {
    /** Answers this, or throws {@code PD-315} where the run does not fit. */
    public Fit require() {
        if (!fits) {
            throw new RefusedException(
                    ErrorCode.DOES_NOT_FIT,
                    "Run %s cannot go on with %s@%s: %s".formatted(run, workflow, version, detail));
        }
        return this;
    }
}
