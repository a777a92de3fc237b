package io.perdure.sdk.workflow;

/**
 * One step of a StepFlow. It runs whole, and again where it failed or its process died; once it has returned and that is recorded, never
 * again for the same visit.
 */
@FunctionalInterface
public interface StepFlowCode {
    /** Does the work and says how the flow goes on; an exception fails the attempt. */
    Next run(StepFlowContext ctx) throws Exception;
}
