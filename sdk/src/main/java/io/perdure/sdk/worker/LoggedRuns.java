package io.perdure.sdk.worker;

import io.perdure.sdk.logging.LineContext;
import io.perdure.sdk.logging.LogKey;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.workflow.Attempt;
import org.jspecify.annotations.Nullable;

/** Has the log lines of a step say whose they are: run, workflow, step and attempt. */
public record LoggedRuns(LineContext context) implements Surroundings {
    @Override
    public void enterRun(Assignment run) {
        context.put(LogKey.RUN, run.held().run().toString());
        context.put(LogKey.WORKFLOW, run.workflow().value());
    }

    @Override
    public TraceContext enterStep(Attempt attempt) {
        context.put(LogKey.STEP, attempt.step().value());
        context.put(LogKey.ATTEMPT, Integer.toString(attempt.number()));
        return attempt.trace();
    }

    @Override
    public void leaveStep(@Nullable Throwable error) {
        context.remove(LogKey.STEP, LogKey.ATTEMPT);
    }

    @Override
    public void leaveRun() {
        context.remove(LogKey.RUN, LogKey.WORKFLOW);
    }
}
