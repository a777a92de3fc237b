package io.perdure.sdk.workflow;

import org.jspecify.annotations.Nullable;

/**
 * A workflow, as code. It runs from the top each time the run goes on, and what its steps returned before comes out of the
 * history. So everything that touches the world belongs inside a step, and what lies between steps must ask for the same
 * steps in the same order each time.
 *
 * @param <I> what a run is given
 * @param <O> what a run results in
 */
@FunctionalInterface
public interface WorkflowCode<I, O> {
    /** Runs the workflow; an exception that leaves it fails the run. */
    @Nullable
    O run(WorkflowContext ctx, I input) throws Exception;
}
