package io.perdure.sdk.workflow;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;

/**
 * One try of a step.
 *
 * @param number 1 for the first
 * @param idempotencyKey made of run and step, the same for every attempt: what an outside API is told, so that it does the work
 *     once however often it is asked
 */
public record Attempt(RunId run, StepName step, int number, String idempotencyKey) {
    public static Attempt of(RunId run, StepName step, int number) {
        return new Attempt(run, step, number, run + "/" + step);
    }
}
