package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Runs that are too large to be read, or to be read together with others. */
abstract class LargeRunContract extends WorkflowFixture {
    private static final int LARGE = 200_000;
    private static final int NEIGHBOURS = 5;

    /** Loads as many characters as it is told, and waits to go on. */
    private static final WorkflowCode<String, Integer> CODE = (ctx, input) -> {
        String loaded = ctx.step("load", String.class, () -> "x".repeat(Integer.parseInt(input)));
        ctx.waitForEvent("go", String.class);
        return loaded.length();
    };

    LargeRunContract(Opening opening) {
        super(opening);
    }

    /** Runs that wait, the first of which is large. */
    private List<RunId> waiting() throws InterruptedException {
        Workflow<String, Integer> workflow = serve(Integer.class, CODE);
        List<RunId> runs = new ArrayList<>();
        for (int number = 0; number <= NEIGHBOURS; number++) {
            Run<Integer> run = perdure.start(workflow, Integer.toString(number == 0 ? LARGE : number));
            until(() -> !events(run, Event.WaitStarted.class).isEmpty());
            runs.add(run.id());
        }
        return runs;
    }

    private static OpenOptions reading(int bytes) {
        OpenOptions defaults = OpenOptions.defaults();
        Limits limits = defaults.limits();
        return new OpenOptions(
                defaults.tenant(), defaults.codec(), limits.with(limits.calls().reading(bytes)));
    }

    private void assertCompletes(Workflow<String, Integer> workflow, RunId run, int result) {
        assertThat(perdure.run(workflow, run).result(PATIENCE)).isEqualTo(result);
    }

    @Test
    final void claim_ofARunLargerThanTheLimit_parksItAndItsNeighboursComplete() throws InterruptedException {
        List<RunId> runs = waiting();
        RunId large = runs.getFirst();
        reopen(OpenOptions.defaults().runBytesMax(LARGE / 2));
        runs.forEach(run -> perdure.signal(run, "go", ""));
        Workflow<String, Integer> workflow = serve(Integer.class, CODE);

        for (int number = 1; number <= NEIGHBOURS; number++) {
            assertCompletes(workflow, runs.get(number), number);
        }
        Run<Integer> parked = perdure.run(workflow, large);
        untilItIsParked(parked, ErrorCode.HISTORY_TOO_LARGE);
        Failure why = Objects.requireNonNull(parked.info().error());
        assertThat(why.message()).contains("PD-106", large.toString(), "200,", "at most 100,000", "runs.readBytes");

        perdure.resume(large, "hoping");
        until(() -> events(parked, Event.RunParked.class).size() == 2);
        reopen(OpenOptions.defaults());
        Workflow<String, Integer> allowed = serve(Integer.class, CODE);
        perdure.resume(large, "more is allowed");
        assertCompletes(allowed, large, LARGE);
    }

    @Test
    final void signal_ofARunLargerThanTheLimit_parksIt() throws InterruptedException {
        List<RunId> runs = waiting();
        reopen(OpenOptions.defaults().runBytesMax(LARGE / 2));
        Workflow<String, Integer> workflow = serve(Integer.class, CODE);
        // The worker takes the run along with the signal if it can.
        runs.forEach(run -> perdure.signal(run, "go", ""));

        untilItIsParked(perdure.run(workflow, runs.getFirst()), ErrorCode.HISTORY_TOO_LARGE);
        assertCompletes(workflow, runs.getLast(), NEIGHBOURS);
    }

    @Test
    final void claim_ofARunTooLargeToBeReadWithOthers_readsItAside() throws InterruptedException {
        List<RunId> runs = waiting();
        reopen(reading(LARGE / 4));
        runs.forEach(run -> perdure.signal(run, "go", ""));
        Workflow<String, Integer> workflow = serve(Integer.class, CODE);

        assertCompletes(workflow, runs.getFirst(), LARGE);
        for (int number = 1; number <= NEIGHBOURS; number++) {
            assertCompletes(workflow, runs.get(number), number);
        }
    }

    @Test
    final void claim_ofMoreRunsThanOneReadBrings_goesOnWithAll() throws InterruptedException {
        List<RunId> runs = waiting();
        // Each fits alone, no two of them together.
        reopen(reading(LARGE + LARGE / 10));
        runs.forEach(run -> perdure.signal(run, "go", ""));
        RunId other = perdure.start(workflow(Integer.class, CODE), Integer.toString(LARGE))
                .id();
        perdure.signal(other, "go", "");
        Workflow<String, Integer> workflow = serve(Integer.class, CODE);

        assertCompletes(workflow, runs.getFirst(), LARGE);
        assertCompletes(workflow, other, LARGE);
        assertCompletes(workflow, runs.getLast(), NEIGHBOURS);
    }

    @Test
    final void cancel_ofARunTooLargeToBeRead_endsIt() throws InterruptedException {
        RunId large = waiting().getFirst();
        reopen(OpenOptions.defaults().runBytesMax(LARGE / 2));
        perdure.signal(large, "go", "");
        Workflow<String, Integer> workflow = serve(Integer.class, CODE);
        Run<Integer> parked = perdure.run(workflow, large);
        untilItIsParked(parked, ErrorCode.HISTORY_TOO_LARGE);

        perdure.cancel(large, "not wanted");
        assertThat(parked.status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(parked.steps()).hasSize(2);
    }
}
