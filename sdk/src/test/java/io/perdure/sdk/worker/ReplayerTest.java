package io.perdure.sdk.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.workflow.WorkflowCode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A history and code go in, a command comes out. */
class ReplayerTest {
    private static final StepName A = new StepName("a");
    private static final StepName B = new StepName("b");
    private static final Duration HOUR = Duration.ofHours(1);

    /** Two steps with a sleep between them. */
    private static final WorkflowCode<Json, Object> TWO_STEPS = (ctx, _) -> {
        int a = ctx.step("a", Integer.class, () -> 1);
        ctx.sleep("pause", HOUR);
        return a + ctx.step("b", Integer.class, () -> 2);
    };

    private static WorkflowCode<Json, Object> onlyStep(Retry retry) {
        return (ctx, _) -> ctx.step("a", String.class, () -> "done", retry);
    }

    @Test
    void anEmptyHistoryAsksForTheFirstStep() {
        assertThat(Histories.empty().next(TWO_STEPS)).isEqualTo(new Command.RunStep(A, 1));
    }

    @Test
    void codeWithoutCallsCompletesAtOnce() {
        assertThat(Histories.of("{\"x\":1}").next((_, input) -> input))
                .isEqualTo(new Command.Complete(Json.of("{\"x\":1}")));
        assertThat(Histories.empty().next((_, _) -> Json.NULL)).isEqualTo(new Command.Complete(Json.NULL));
    }

    @Test
    void afterAStepComesWhatFollowsIt() {
        assertThat(Histories.empty().completed("a", "1").next(TWO_STEPS))
                .isEqualTo(new Command.Sleep(new StepName("pause"), Due.in(HOUR)));
    }

    @Test
    void whatWasDoneIsAnsweredWithoutRunningIt() {
        AtomicInteger ran = new AtomicInteger();
        Command next = Histories.empty()
                .completed("a", "41")
                .completed("b", null)
                .next((ctx, _) -> {
                    int a = ctx.step("a", Integer.class, ran::incrementAndGet);
                    ctx.step("b", () -> {
                        ran.incrementAndGet();
                    });
                    return a + 1;
                });

        assertThat(next).isEqualTo(new Command.Complete(Json.of("42")));
        assertThat(ran).hasValue(0);
    }

    @Test
    void aRecordedNullIsAnsweredAsNull() {
        assertThat(Histories.empty()
                        .completed("a", "null")
                        .next((ctx, _) -> ctx.step("a", String.class, () -> "again") == null))
                .isEqualTo(new Command.Complete(Json.of("true")));
    }

    @Test
    void aSleepThatIsNotOverIsRestedFor() {
        Histories history = Histories.empty().completed("a", "1").slept("pause", HOUR);

        assertThat(history.next(TWO_STEPS))
                .isEqualTo(new Command.Rest(Histories.at(2).plus(HOUR)));
    }

    @Test
    void aSleepIsOverAtItsEndAndNotBefore() {
        Histories history = Histories.empty().completed("a", "1").slept("pause", HOUR);

        assertThat(nextAfter(history, HOUR.minusNanos(1_000))).isInstanceOf(Command.Rest.class);
        assertThat(nextAfter(history, HOUR)).isEqualTo(new Command.RunStep(B, 1));
    }

    private static Command nextAfter(Histories history, Duration later) {
        return Replayer.next(Histories.workflow(TWO_STEPS), Codec.standard(), history.after(later));
    }

    @Test
    void theRecordedEndOfASleepCountsNotWhatTheCodeSaysNow() {
        Histories history = Histories.empty().slept("pause", HOUR);

        assertThat(history.next((ctx, _) -> {
                    ctx.sleep("pause", Duration.ofDays(1_000_000));
                    return "over";
                }))
                .isEqualTo(new Command.Rest(Histories.at(1).plus(HOUR)));
    }

    @Test
    void sleepingUntilATimeAsksForThatTime() {
        Instant time = Instant.parse("2030-01-01T00:00:00Z");

        assertThat(Histories.empty().next((ctx, _) -> {
                    ctx.sleepUntil("new-year", time);
                    return "over";
                }))
                .isEqualTo(new Command.Sleep(new StepName("new-year"), Due.at(time)));
    }

    @Test
    void theAttemptAfterFailuresIsTheNextNumber() {
        assertThat(Histories.empty().failed("a", 1).failed("a", 2).next(TWO_STEPS))
                .isEqualTo(new Command.RunStep(A, 3));
    }

    @Test
    void aFailedStepRestsUntilItsNextAttempt() {
        Instant later = Histories.at(1).plus(HOUR);
        Histories history = Histories.empty().add(new Event.StepFailed(A, 1, Histories.BROKEN, true), later);

        assertThat(history.next(TWO_STEPS)).isEqualTo(new Command.Rest(later));
        assertThat(nextAfter(history, HOUR)).isEqualTo(new Command.RunStep(A, 2));
    }

    @Test
    void aStepWhoseAttemptsAStricterPolicyHasUsedUpFailsTheRunWithTheRecordedError() {
        Histories history = Histories.empty().failed("a", 1).failed("a", 2);

        assertThat(history.next(onlyStep(Retry.fixed(2, Duration.ZERO))))
                .isEqualTo(new Command.Fail(null, Histories.BROKEN));
        assertThat(history.next(onlyStep(Retry.never()))).isEqualTo(new Command.Fail(null, Histories.BROKEN));
        assertThat(history.next(onlyStep(Retry.fixed(3, Duration.ZERO)))).isEqualTo(new Command.RunStep(A, 3));
    }

    @Test
    void aFailureThatIsFinalStaysFinal() {
        Histories history = Histories.empty().add(new Event.StepFailed(A, 1, Histories.BROKEN, false));

        assertThat(history.next(onlyStep(Retry.fixed(9, Duration.ZERO))))
                .isEqualTo(new Command.Fail(null, Histories.BROKEN));
    }

    @Test
    void aRedrivenRunHasAllAttemptsAgain() {
        Histories history = Histories.empty()
                .failed("a", 1)
                .add(new Event.StepFailed(A, 2, Histories.BROKEN, false))
                .add(new Event.RunFailed(Histories.BROKEN))
                .add(new Event.RunRedriven("operator", "mended"));

        assertThat(history.next(onlyStep(Retry.fixed(2, HOUR)))).isEqualTo(new Command.RunStep(A, 1));
        assertThat(history.failed("a", 1).next(onlyStep(Retry.fixed(2, HOUR)))).isEqualTo(new Command.RunStep(A, 2));
    }

    @Test
    void redrivingLeavesWhatWasDoneAsItIs() {
        Histories history = Histories.empty()
                .completed("a", "1")
                .add(new Event.RunFailed(Histories.BROKEN))
                .add(new Event.RunRedriven("operator", "mended"));

        assertThat(history.next(TWO_STEPS)).isInstanceOf(Command.Sleep.class);
    }

    @Test
    void parkingAndResumingChangeNothingForTheCode() {
        Histories history = Histories.empty()
                .failed("a", 1)
                .add(new Event.RunParked("PD-104", "looked at"))
                .add(new Event.RunResumed("operator", "mended", null));

        assertThat(history.next(TWO_STEPS)).isEqualTo(new Command.RunStep(A, 2));
    }

    @Test
    void anExceptionOutsideAStepFailsTheRunWithItsCauses() {
        Command next = Histories.empty().next((_, _) -> {
            throw new IllegalStateException("outer", new IOException("inner"));
        });

        assertThat(next).isInstanceOfSatisfying(Command.Fail.class, fail -> {
            assertThat(fail.step()).isNull();
            assertThat(fail.reason().withoutStackTrace())
                    .isEqualTo(new Failure(
                            "java.lang.IllegalStateException",
                            "outer",
                            new Failure("java.io.IOException", "inner", null)));
        });
    }

    @Test
    void anErrorOutsideAStepParksTheRun() {
        assertThat(Histories.empty().next((_, _) -> {
                    throw new NoClassDefFoundError("com/example/Gone");
                }))
                .isInstanceOfSatisfying(Command.Park.class, park -> {
                    assertThat(park.reason()).isEqualTo("java.lang.NoClassDefFoundError");
                    assertThat(park.detail()).isEqualTo("com/example/Gone");
                });
    }

    @Test
    void anErrorWithoutAMessageParksTheRunToo() {
        assertThat(Histories.empty().next((_, _) -> {
                    throw new StackOverflowError();
                }))
                .isInstanceOfSatisfying(
                        Command.Park.class,
                        park -> assertThat(park.reason()).isEqualTo("java.lang.StackOverflowError"));
    }
}
