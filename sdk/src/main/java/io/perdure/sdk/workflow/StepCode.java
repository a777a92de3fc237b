package io.perdure.sdk.workflow;

import org.jspecify.annotations.Nullable;

/** What a step with a result does. It may run more than once, until its completion is recorded: make it idempotent. */
@FunctionalInterface
public interface StepCode<T extends @Nullable Object> {
    T run() throws Exception;
}
