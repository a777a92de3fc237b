package io.perdure.core.workflow;

import io.perdure.core.store.Weight;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.HistoryPart;
import io.perdure.sdk.run.RunEnd;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.RunSource;
import io.perdure.sdk.run.WhenParked;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the store of this process for runs, and the worker of this process first where that has the run in hand. */
final class LocalRuns implements RunSource {
    private static final int PAGE = Limits.defaults().calls().pageRows();
    private static final int PAGE_BYTES = Limits.defaults().calls().readBytes();

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
    public <T> T result(RunId run, Type type, Duration atMost, WhenParked whenParked) {
        long begun = setup.environment().nanoTime();
        try {
            RunEnd end = ending == null ? null : ending.await(atMost).orElse(null);
            if (end == null || end.status() == RunStatus.FAILED || end.status() == RunStatus.PARKED) {
                // One that failed may have been redriven since, and one that was parked may have been resumed.
                Duration left = atMost.minusNanos(setup.environment().nanoTime() - begun);
                end = results.await(run, left.isNegative() ? Duration.ZERO : left, whenParked);
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
    public HistoryPart part(RunId run, long from) {
        List<Recorded> page = setup.store().history(setup.tenant(), run, from, PAGE, PAGE_BYTES);
        if (page.isEmpty()) {
            // None to come after the last, or no such run.
            results.row(run);
        }
        return new HistoryPart(
                page, page.stream().mapToLong(event -> Weight.of(event.event())).sum());
    }

    @Override
    public Following follow(RunId run, long from) {
        return results.follow(run, from);
    }
}
