package io.perdure.core.workflow;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.RunEnd;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.RunSource;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the store of this process for runs, and the worker of this process first where that has the run in hand. */
final class LocalRuns implements RunSource {
    private static final int PAGE = Limits.defaults().calls().pageRows();

    private final Workflows.Setup setup;
    private final Results results;
    private final @Nullable Ending ending;

    /**
     * Asks for a run that may have been handed over.
     *
     * @param ending where the run's end is told, if it was handed over to a worker of this process
     */
    LocalRuns(Workflows.Setup setup, Results results, @Nullable Ending ending) {
        this.setup = setup;
        this.results = results;
        this.ending = ending;
    }

    @Override
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // A result may be null; its type is the parameter.
    public <T> T result(RunId run, Type type, Duration atMost) {
        long begun = setup.environment().nanoTime();
        try {
            RunEnd end = ending == null ? null : ending.await(atMost).orElse(null);
            if (end == null || end.status() == RunStatus.FAILED) {
                // One that failed may have been redriven since.
                Duration left = atMost.minusNanos(setup.environment().nanoTime() - begun);
                end = results.await(run, left.isNegative() ? Duration.ZERO : left);
            }
            return setup.codec().read(end.output(run, atMost), type, "The result of run " + run);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefusedException(
                    ErrorCode.NO_RESULT_YET, "The wait for the result of run %s was interrupted.".formatted(run), e);
        }
    }

    @Override
    public RunInfo info(RunId run) {
        return results.row(run).info();
    }

    @Override
    public List<Recorded> history(RunId run, long from) {
        List<Recorded> all = new ArrayList<>();
        List<Recorded> page = setup.store().history(setup.tenant(), run, from, PAGE);
        while (page.size() == PAGE) {
            all.addAll(page);
            page = setup.store().history(setup.tenant(), run, page.getLast().seq() + 1, PAGE);
        }
        all.addAll(page);
        if (all.isEmpty()) {
            // None to come after the last, or no such run.
            results.row(run);
        }
        return List.copyOf(all);
    }

    @Override
    public Following follow(RunId run, long from) {
        return results.follow(run, from);
    }
}
