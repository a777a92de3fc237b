package io.perdure.sdk.workflow;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;

/**
 * One try of a step.
 *
 * @param number 1 for the first
 * @param visit how often a StepFlow has come by this step, this time included; 1 for a step of a workflow written as code
 */
public record Attempt(RunId run, StepName step, int number, int visit) {
    /** Of a step that is visited once. */
    public Attempt(RunId run, StepName step, int number) {
        this(run, step, number, 1);
    }

    /**
     * Made of run, step and visit, and the same for every attempt: what an outside API is told, so that it does the work once however
     * often it is asked.
     */
    public String idempotencyKey() {
        return run + "/" + step + (visit == 1 ? "" : "/" + visit);
    }
}
