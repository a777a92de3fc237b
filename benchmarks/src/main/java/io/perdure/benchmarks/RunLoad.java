package io.perdure.benchmarks;

import io.perdure.benchmarks.Stopwatch.Turn;
import io.perdure.core.store.Effort;
import io.perdure.sdk.workflow.Workflow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Runs whose callers wait for their results. Most of them stay with the worker from start to end. The others sleep for so long that the worker lets go
 * of them, and are claimed again.
 */
final class RunLoad implements TablesLoad {
    private static final int STEPS = 3;
    private static final int CALLERS = 512;
    private static final int CALLERS_OF_SLEEPERS = 128;

    private final WorkflowEngine engine;
    private final LongAdder done = new LongAdder();

    RunLoad(String store) {
        engine = WorkflowEngine.open(store, Steps.WORKFLOW, Steps.NAPPING);
    }

    @Override
    public void during(Stopwatch.Wait wait) {
        List<Turn> callers = new ArrayList<>(Collections.nCopies(CALLERS, () -> run(Steps.WORKFLOW)));
        callers.addAll(Collections.nCopies(CALLERS_OF_SLEEPERS, () -> run(Steps.NAPPING)));
        new Stopwatch(() -> {}, wait, () -> {}).measure(callers, List.of(), () -> new Effort(0, 0));
    }

    private int run(Workflow<Integer, Integer> workflow) {
        int runs = Steps.startAndWait(engine, workflow, STEPS);
        done.add(runs);
        return runs;
    }

    @Override
    public long done() {
        return done.sum();
    }

    @Override
    public void close() {
        engine.close();
    }
}
