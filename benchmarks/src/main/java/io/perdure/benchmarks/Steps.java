package io.perdure.benchmarks;

import io.perdure.sdk.Limits;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.StepFlowContext;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowContext;
import java.time.Duration;

/** The workflow that is measured: as many steps as its input says, each of which adds one to what the one before returned. */
final class Steps {
    static final Workflow<Integer, Integer> WORKFLOW =
            Workflow.named("steps").run(Integer.class, Integer.class, Steps::run);

    /** The same as a StepFlow. */
    static final StepFlow FLOW = StepFlow.named("step_flow")
            .step("start", ctx -> next(ctx.input(Integer.class), 0, ctx))
            .step("add", ctx -> next(ctx.input(Integer.class), ctx.get("sum", Integer.class), ctx));

    /** What is kept after its end, and then goes. */
    static final Workflow<Integer, Integer> KEPT = Workflow.named("kept").run(Integer.class, Integer.class, Steps::run);

    /** Long enough for the worker to let go of a run meanwhile. */
    private static final Duration NAP =
            Limits.defaults().workers().waitInMemory().plusMillis(50);

    /** The same steps after a sleep. */
    static final Workflow<Integer, Integer> NAPPING =
            Workflow.named("napping").run(Integer.class, Integer.class, Steps::sleepAndRun);

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private Steps() {}

    private static Next next(int steps, int sum, StepFlowContext ctx) {
        if (sum + 1 == steps) {
            return Next.done(steps);
        }
        ctx.put("sum", sum + 1);
        return Next.step("add");
    }

    private static Integer run(WorkflowContext ctx, Integer steps) {
        int sum = 0;
        for (int number = 0; number < steps; number++) {
            int before = sum;
            sum = ctx.step("add-" + number, Integer.class, () -> before + 1);
        }
        return sum;
    }

    private static Integer sleepAndRun(WorkflowContext ctx, Integer steps) {
        ctx.sleep("nap", NAP);
        return run(ctx, steps);
    }

    /** Starts a run and waits for its result; answers 1, the run that is done. */
    static int startAndWait(WorkflowEngine engine, int steps) {
        return startAndWait(engine, WORKFLOW, steps);
    }

    /** The same with another of these workflows. */
    static int startAndWait(WorkflowEngine engine, Workflow<Integer, Integer> workflow, int steps) {
        Run<Integer> run = engine.start(workflow, steps);
        int sum = run.result(PATIENCE);
        if (sum != steps) {
            throw new IllegalStateException("A run of " + steps + " steps resulted in " + sum + ".");
        }
        return 1;
    }
}
