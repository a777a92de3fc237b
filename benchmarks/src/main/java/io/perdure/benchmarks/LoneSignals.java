package io.perdure.benchmarks;

import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How long a run that waits for an event takes to end once it is signalled, one at a time, when nothing else happens. */
final class LoneSignals {
    /** Waits for an event, and results in what that says. */
    static final Workflow<Integer, Integer> WORKFLOW = Workflow.named("bench_signal")
            .run(Integer.class, Integer.class, (ctx, _) -> ctx.waitForEvent("go", Integer.class));

    /** Longer than a run takes to be let go of, and for what that left to be over. */
    private static final Duration PAUSE = Duration.ofMillis(3);

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final WorkflowEngine engine;
    private final Environment environment;

    LoneSignals(WorkflowEngine engine) {
        this.engine = engine;
        this.environment = engine.environment();
    }

    /** Times from before a signal is sent to the result of its run, for a span and so many runs at least. */
    Spread signalToFinish(Pace pace, int atLeast) {
        List<Long> times = new ArrayList<>();
        long measuredFrom = environment.nanoTime() + pace.warmUp().toNanos();
        long end = measuredFrom + pace.span().toNanos();
        try {
            while (environment.nanoTime() < end || times.size() < atLeast) {
                Run<Integer> run = engine.start(WORKFLOW, 0);
                awaitWaiting(run);
                long begun = environment.nanoTime();
                engine.signal(run, "go", times.size());
                int said = run.result(PATIENCE);
                if (said != times.size()) {
                    throw new IllegalStateException("Run " + run.id() + " was told " + said + ".");
                }
                if (begun >= measuredFrom) {
                    times.add(environment.nanoTime() - begun);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted.", e);
        }
        return Spread.of(times);
    }

    /** Until it is recorded that it waits, and the worker has let go of it. */
    private void awaitWaiting(Run<?> run) throws InterruptedException {
        while (engine.working() > 0 || !isWaiting(run)) {
            environment.sleep(PAUSE);
        }
        environment.sleep(PAUSE);
    }

    private static boolean isWaiting(Run<?> run) {
        return run.history().stream().map(Recorded::event).anyMatch(Event.WaitStarted.class::isInstance);
    }
}
