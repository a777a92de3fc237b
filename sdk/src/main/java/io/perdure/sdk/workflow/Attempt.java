package io.perdure.sdk.workflow;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;

/**
 * One try of a step.
 *
 * @param number 1 for the first
 */
public record Attempt(RunId run, StepName step, int number) {
    /**
     * Made of run and step, and the same for every attempt: what an outside API is told, so that it does the work once however
     * often it is asked.
     */
    public String idempotencyKey() {
        return run + "/" + step;
    }
}
