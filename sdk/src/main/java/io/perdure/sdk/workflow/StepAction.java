package io.perdure.sdk.workflow;

/** What a step without a result does. It may run more than once, until its completion is recorded: make it idempotent. */
@FunctionalInterface
public interface StepAction {
    void run() throws Exception;
}
