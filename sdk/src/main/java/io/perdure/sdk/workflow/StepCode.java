package io.perdure.sdk.workflow;

/** What a step with a result does. It may run more than once, until its completion is recorded: make it idempotent. */
@FunctionalInterface
public interface StepCode<T> {
    T run() throws Exception;
}
