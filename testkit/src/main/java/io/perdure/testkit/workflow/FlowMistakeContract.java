package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.StepFlowContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a StepFlow's code must not do, and that its run is parked for it. */
abstract class FlowMistakeContract extends FlowFixture {
    FlowMistakeContract(Opening opening) {
        super(opening);
    }

    @Test
    final void aFlowWithoutAFirstStepIsNotRegistered() {
        assertFails(
                ErrorCode.REGISTRATION,
                () -> perdure.register(StepFlow.named("headless").step("begin", _ -> Next.done())),
                "headless@1",
                "\"start\"");
    }

    @Test
    final void aStepThatIsNotThereParksTheRunUntilItIs() throws InterruptedException {
        AtomicInteger started = new AtomicInteger();
        StepFlow half = flow().step("start", _ -> {
            started.incrementAndGet();
            return Next.step("finish");
        });
        Run<Json> run = started(half);
        untilItIsParked(run, ErrorCode.MISSING_STEP);
        assertThat(events(run, Event.RunParked.class))
                .last()
                .satisfies(parked -> assertThat(parked.detail())
                        .contains("\"finish\"", "after event 2, StepCompleted \"start\"", "flow@1"));
        reopen(OpenOptions.defaults());
        perdure.register(half.step("finish", _ -> Next.done("mended"))).start();
        perdure.resume(run.id(), "mended");

        assertThat(perdure.run(run.id()).as(String.class).result(PATIENCE)).isEqualTo("mended");
        assertThat(started).hasValue(1);
    }

    @Test
    final void aMistakeOfAStepParksTheRunWhateverItsCodeMakesOfIt() throws InterruptedException {
        Run<Json> run = started(flow().step("start", ctx -> {
            try {
                return Next.done(ctx.get("missing", String.class));
            } catch (RuntimeException e) {
                return Next.done("hidden");
            }
        }));

        untilItIsParked(run, ErrorCode.NO_SUCH_ENTRY);
    }

    @Test
    final void aStepThatSaysNothingParksTheRun() throws InterruptedException {
        @SuppressWarnings("NullAway") // As code that was not checked does.
        Run<Json> run = started(flow().step("start", _ -> null));
        untilItIsParked(run, ErrorCode.NO_NEXT);
    }

    @Test
    final void anEntryThatIsTooLargeParksTheRun() throws InterruptedException {
        Run<Json> run = started(flow().step("start", ctx -> {
            ctx.put("large", "x".repeat(1024 * 1024));
            return Next.done();
        }));
        untilItIsParked(run, ErrorCode.VALUE_TOO_LARGE);
    }

    @Test
    final void aContextThatIsKeptBeyondItsStepIsOfNoUse() {
        List<StepFlowContext> kept = new ArrayList<>();
        Run<Json> run = started(flow().step("start", ctx -> {
            kept.add(ctx);
            return Next.done();
        }));
        run.result(PATIENCE);

        assertFails(ErrorCode.CONTEXT_ENDED, () -> kept.getFirst().put("late", 1));
    }

    @Test
    final void aRunOfOneKindDoesNotFitCodeOfTheOther() throws InterruptedException {
        StepFlow asFlow = StepFlow.named("sample").step("start", _ -> Next.done());
        Run<Json> run = perdure.start(asFlow, "input");
        serve(String.class, (_, input) -> input);
        untilItIsParked(run, ErrorCode.HISTORY_MISMATCH);
        assertThat(events(run, Event.RunParked.class))
                .singleElement()
                .satisfies(parked -> assertThat(parked.detail()).contains("event 0", "a StepFlow", "sample@1 is code"));
    }
}
