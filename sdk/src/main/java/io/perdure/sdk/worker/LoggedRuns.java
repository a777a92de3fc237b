package io.perdure.sdk.worker;

import io.perdure.sdk.logging.LineContext;
import io.perdure.sdk.logging.LogKey;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.workflow.Attempt;
import org.jspecify.annotations.Nullable;

/** Has the log lines of a step say whose they are: run, workflow, step and attempt. */
public final class LoggedRuns implements Surroundings {
    private LoggedRuns() {}

    /** Where the program has set up no logging, they say nothing. */
    public static Surroundings ifSetUp() {
        return Logs.areSetUp() ? new LoggedRuns() : Surroundings.NONE;
    }

    @Override
    public void enterRun(Assignment run) {
        LineContext.put(LogKey.RUN, run.held().run().toString());
        LineContext.put(LogKey.WORKFLOW, run.workflow().value());
    }

    @Override
    public TraceContext enterStep(Attempt attempt) {
        LineContext.put(LogKey.STEP, attempt.step().value());
        LineContext.put(LogKey.ATTEMPT, Integer.toString(attempt.number()));
        return attempt.trace();
    }

    @Override
    public void leaveStep(@Nullable Throwable error) {
        LineContext.remove(LogKey.STEP, LogKey.ATTEMPT);
    }

    @Override
    public void leaveRun() {
        LineContext.remove(LogKey.RUN, LogKey.WORKFLOW);
    }
}
