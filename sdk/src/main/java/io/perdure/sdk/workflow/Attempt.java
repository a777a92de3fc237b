package io.perdure.sdk.workflow;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.trace.TraceContext;

/**
 * One try of a step.
 *
 * @param number 1 for the first
 * @param visit how often a StepFlow has come by this step, this time included; 1 for a step of a workflow written as code
 * @param trace its place in the trace of its run
 */
public record Attempt(RunId run, StepName step, int number, int visit, TraceContext trace) {
    /**
     * Made of run, step and visit, and the same for every attempt: what an outside API is told, so that it does the work once however
     * often it is asked.
     */
    public String idempotencyKey() {
        return run + "/" + step + (visit == 1 ? "" : "/" + visit);
    }

    /** What an outside API is told in the header of this name, so that what it does shows in the same trace as the run. */
    public String traceparent() {
        return trace.traceparent();
    }

    /**
     * What it is told in the header of this name beside that one: what the run's caller brought, for those who trace to find their own again. Empty
     * where there is nothing, and no header is to be sent.
     */
    public String tracestate() {
        return trace.tracestate();
    }

    /** The same in this place of a trace. */
    public Attempt in(TraceContext other) {
        return new Attempt(run, step, number, visit, other);
    }
}
