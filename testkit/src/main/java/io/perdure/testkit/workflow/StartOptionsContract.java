package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What a start may ask for besides the work itself. */
abstract class StartOptionsContract extends WorkflowFixture {
    private static final StartOptions DEFAULTS = StartOptions.defaults();

    StartOptionsContract(Opening opening) {
        super(opening);
    }

    private Workflow<String, String> echo() {
        return serve(String.class, (_, input) -> input);
    }

    @Test
    final void anIdempotencyKeyLeadsToTheFirstRunForGood() {
        Workflow<String, String> echo = echo();
        StartOptions once = DEFAULTS.idempotencyKey("order-1");
        Run<String> first = perdure.start(echo, "a", once);
        first.result(PATIENCE);
        Run<String> second = perdure.start(echo, "a", once);

        assertThat(first.created()).isTrue();
        assertThat(second.created()).isFalse();
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.result(PATIENCE)).isEqualTo("a");
        assertFails(ErrorCode.KEY_REUSED, () -> perdure.start(echo, "b", once));
    }

    @Test
    final void roomIsGivenBackByStartsThatBeganNothing() {
        reopen(OpenOptions.defaults().concurrency(2));
        Workflow<String, String> echo = echo();
        StartOptions once = DEFAULTS.idempotencyKey("order-1");
        perdure.start(echo, "a", once).result(PATIENCE);
        for (int again = 0; again < 5; again++) {
            perdure.start(echo, "a", once);
        }

        assertThat(perdure.start(echo, "b").result(PATIENCE)).isEqualTo("b");
    }

    @Test
    final void aWorkflowIdHasOneActiveRunAndIsFreeAfterIt() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Workflow<String, String> held = serve(String.class, (ctx, input) -> {
            ctx.step("hold", () -> {
                begun.countDown();
                await(go);
            });
            return input;
        });
        StartOptions one = DEFAULTS.workflowId("user-42");
        Run<String> first = perdure.start(held, "a", one);
        await(begun);
        Run<String> meanwhile = perdure.start(held, "b", one);
        go.countDown();

        assertThat(meanwhile.created()).isFalse();
        assertThat(meanwhile.id()).isEqualTo(first.id());
        assertThat(first.result(PATIENCE)).isEqualTo("a");
        Run<String> next = perdure.start(held, "c", one);
        assertThat(next.created()).isTrue();
        assertThat(next.result(PATIENCE)).isEqualTo("c");
    }

    @Test
    final void aDelayedRunBeginsNotBeforeItsTime() {
        Duration delay = Duration.ofMillis(300);
        Workflow<String, Instant> clock = serve(Instant.class, (ctx, _) -> {
            ctx.step("a", () -> {});
            return ctx.now();
        });
        Run<Instant> run = perdure.start(clock, "", DEFAULTS.delay(delay));

        assertThat(run.result(PATIENCE)).isAfterOrEqualTo(run.info().startedAt().plus(delay));
    }

    @Test
    final void aRunPastItsDeadlineIsCancelledWhileItSleeps() {
        Workflow<String, String> sleeper = serve(String.class, (ctx, _) -> {
            ctx.sleep("long", Duration.ofHours(1));
            return "never";
        });
        Run<String> run = perdure.start(sleeper, "", DEFAULTS.deadline(Duration.ofMillis(300)));

        assertFails(
                ErrorCode.RUN_CANCELLED,
                () -> run.result(PATIENCE),
                "deadline",
                run.id().toString());
        assertThat(run.status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(events(run, Event.RunCancelled.class)).singleElement().satisfies(cancelled -> {
            assertThat(cancelled.by()).isEqualTo("perdure");
            assertThat(cancelled.reason()).contains(String.valueOf(run.info().deadline()));
        });
    }

    @Test
    final void aRunPastItsDeadlineIsCancelledWhileItWaitsForItsBegin() {
        Run<String> run =
                perdure.start(echo(), "", DEFAULTS.delay(Duration.ofHours(1)).deadline(Duration.ofMillis(100)));

        assertFails(ErrorCode.RUN_CANCELLED, () -> run.result(PATIENCE), "deadline");
    }

    @Test
    final void aRunPastItsDeadlineBeginsNoFurtherStep() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        Workflow<String, String> slow = serve(String.class, (ctx, _) -> {
            ctx.step("first", () -> {
                begun.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    // At its deadline; this step does not heed it, and returns.
                    interrupted.countDown();
                }
            });
            ctx.step("second", second::countDown);
            return "never";
        });
        Run<String> run = dueSoon(slow, _ -> begun.getCount() == 0);

        assertFails(ErrorCode.RUN_CANCELLED, () -> run.result(PATIENCE));
        await(interrupted);
        assertThat(second.getCount()).isEqualTo(1);
        assertThat(events(run, Event.StepCompleted.class)).hasSize(1);
    }

    @Test
    final void aDeadlineThatIsOverCancelsTheRunBeforeItBegins() {
        CountDownLatch ran = new CountDownLatch(1);
        Workflow<String, String> late = serve(String.class, (ctx, _) -> {
            ran.countDown();
            return "never";
        });
        Run<String> run = perdure.start(late, "", DEFAULTS.deadlineAt(Instant.EPOCH));

        assertFails(ErrorCode.RUN_CANCELLED, () -> run.result(PATIENCE));
        assertThat(ran.getCount()).isEqualTo(1);
    }

    @Test
    final void aDeadlineAtTheEndOfTimeIsNone() {
        assertThat(perdure.start(echo(), "a", DEFAULTS.deadlineAt(Instant.MAX)).result(PATIENCE))
                .isEqualTo("a");
    }

    @Test
    final void tagsAreKept() {
        Run<String> run = perdure.start(echo(), "a", DEFAULTS.tag("team", "x").tag("region", "eu"));

        assertThat(run.info().tags()).isEqualTo(Map.of("team", "x", "region", "eu"));
    }

    @Test
    final void retentionIsTheWorkflowsUnlessTheStartSaysOtherwiseAndNeverOverTheMost() {
        Workflow<String, String> kept = Workflow.named("kept")
                .retention(Duration.ofDays(7))
                .run(String.class, String.class, (_, input) -> input);

        assertThat(perdure.start(kept, "a").info().retentionDays()).isEqualTo(7);
        assertThat(perdure.start(kept, "a", DEFAULTS.retentionDays(3)).info().retentionDays())
                .isEqualTo(3);
        assertThat(perdure.start(kept, "a", DEFAULTS.retentionDays(36_500))
                        .info()
                        .retentionDays())
                .isEqualTo(365);
        assertFails(ErrorCode.OUT_OF_BOUNDS, () -> DEFAULTS.retentionDays(0));
        reopen(OpenOptions.defaults().retentionDaysMax(5));
        assertThat(perdure.start(kept, "a").info().retentionDays()).isEqualTo(5);
    }

    @Test
    final void optionsOutOfBoundsAreRefused() {
        assertFails(ErrorCode.OUT_OF_BOUNDS, () -> DEFAULTS.deadline(Duration.ZERO));
        assertFails(ErrorCode.OUT_OF_BOUNDS, () -> DEFAULTS.delay(Duration.ofSeconds(-1)));
        assertFails(ErrorCode.INVALID_KEY, () -> DEFAULTS.idempotencyKey(""));
    }
}
