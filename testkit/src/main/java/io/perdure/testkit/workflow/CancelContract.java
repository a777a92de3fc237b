package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Runs that somebody cancels, wherever they are. */
abstract class CancelContract extends WorkflowFixture {
    private static final String WHY = "no longer wanted";

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger later = new AtomicInteger();

    CancelContract(Opening opening) {
        super(opening);
    }

    /** Its step neither heeds its interrupt nor ends without one; another would follow. */
    private Run<String> stubborn() {
        return started(String.class, (ctx, _) -> {
            String returned = ctx.step("stubborn", String.class, () -> {
                awaitInterrupt();
                return "returned all the same";
            });
            ctx.step("later", () -> {
                later.incrementAndGet();
            });
            return returned;
        });
    }

    private void awaitInterrupt() {
        begun.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            ended.countDown();
        }
    }

    private void assertCancelled(Run<?> run) throws InterruptedException {
        until(() -> perdure.working() == 0);
        assertFails(
                ErrorCode.RUN_CANCELLED,
                () -> run.result(PATIENCE),
                WHY,
                run.id().toString());
        assertThat(run.status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(run.history().getLast().event()).isEqualTo(new Event.RunCancelled("user", WHY));
        assertThat(events(run, Event.RunCancelled.class)).hasSize(1);
    }

    @Test
    final void aStepUnderWayIsInterruptedAndWhatItReturnsIsNotRecorded() throws InterruptedException {
        Run<String> run = stubborn();
        await(begun);

        assertThat(perdure.cancel(run.id(), WHY)).isTrue();
        await(ended);
        assertCancelled(run);
        assertThat(events(run, Event.StepCompleted.class)).isEmpty();
        assertThat(later).hasValue(0);
    }

    @Test
    final void aStepUnderWayIsInterruptedFromElsewhereToo() throws InterruptedException {
        try (Engine other = another()) {
            Run<String> run = stubborn();
            await(begun);

            assertThat(other.cancel(run.id(), WHY)).isTrue();
            await(ended);
            assertCancelled(run);
            assertCancelled(other.run(run.id()));
            assertThat(events(run, Event.StepCompleted.class)).isEmpty();
            assertThat(later).hasValue(0);
        }
    }

    @Test
    final void aStepThatFailsOfItsInterruptIsNotTriedAgain() throws InterruptedException {
        AtomicInteger attempts = new AtomicInteger();
        Run<String> run = started(
                String.class,
                (ctx, _) -> ctx.step(
                        "heeds",
                        String.class,
                        () -> {
                            attempts.incrementAndGet();
                            begun.countDown();
                            new CountDownLatch(1).await();
                            return "never";
                        },
                        Retry.fixed(5, Duration.ofMillis(1))));
        await(begun);
        perdure.cancel(run.id(), WHY);

        assertCancelled(run);
        assertThat(attempts).hasValue(1);
        assertThat(run.history()).hasSize(2);
    }

    /** Blocks between its calls, in the only slot there is. */
    private Run<String> blockedBetweenSteps() throws InterruptedException {
        reopen(OpenOptions.defaults().concurrency(1));
        Run<String> run = started(String.class, (ctx, input) -> {
            if (input.equals("next")) {
                return input;
            }
            ctx.step("first", () -> {});
            awaitInterrupt();
            ctx.step("later", () -> {
                later.incrementAndGet();
            });
            return "never";
        });
        await(begun);
        return run;
    }

    @Test
    final void cancel_whileCodeBlocksBetweenSteps_interruptsItAndFreesItsSlot() throws InterruptedException {
        Run<String> run = blockedBetweenSteps();
        perdure.cancel(run.id(), WHY);
        await(ended);

        assertCancelled(run);
        assertThat(later).hasValue(0);
        assertThat(perdure.start(workflow(String.class, (_, input) -> input), "next")
                        .result(PATIENCE))
                .isEqualTo("next");
    }

    @Test
    final void cancel_fromElsewhereWhileCodeBlocksBetweenSteps_interruptsIt() throws InterruptedException {
        Run<String> run = blockedBetweenSteps();
        try (Engine other = another()) {
            other.cancel(run.id(), WHY);
        }
        await(ended);

        assertCancelled(run);
        assertThat(later).hasValue(0);
    }

    @Test
    final void codeBetweenItsStepsBeginsNoFurtherOne() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        Workflow<String, String> between = workflow(String.class, (ctx, _) -> {
            ctx.step("first", () -> {});
            begun.countDown();
            await(go);
            ctx.step("later", () -> {
                later.incrementAndGet();
            });
            return "never";
        });
        Witnesses witnesses = new Witnesses();
        perdure.register(between).register(witnesses.workflow).start();
        Run<String> run = perdure.start(between, "");
        await(begun);
        // With nothing left to commit, only what the worker knows of the cancel keeps the next step from beginning.
        until(() -> !events(run, Event.StepCompleted.class).isEmpty());
        perdure.cancel(run.id(), WHY);
        // All leases are extended together, so who hears of a witness that was cancelled after the run hears of the
        // run, too,
        // though maybe a moment later. With the second witness that moment is over.
        witnesses.next();
        witnesses.next();
        go.countDown();

        assertCancelled(run);
        assertThat(later).hasValue(0);
    }

    /** Runs of the same worker that are cancelled and say when their worker has heard of it. A worker elsewhere takes a while to. */
    private final class Witnesses {
        private final Semaphore inStep = new Semaphore(0);
        private final Semaphore interrupted = new Semaphore(0);
        final Workflow<String, String> workflow = Workflow.named("witness")
                .run(
                        String.class,
                        String.class,
                        (ctx, _) -> ctx.step("wait", String.class, () -> {
                            inStep.release();
                            try {
                                new CountDownLatch(1).await();
                            } finally {
                                interrupted.release();
                            }
                            return "never";
                        }));

        void next() throws InterruptedException {
            Run<String> witness = perdure.start(workflow, "");
            until(inStep::tryAcquire);
            perdure.cancel(witness.id(), WHY);
            until(interrupted::tryAcquire);
        }
    }

    @Test
    final void codeThatReturnsAfterItsCancelHasNotCompleted() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        Run<String> run = started(String.class, (_, _) -> {
            begun.countDown();
            await(go);
            return "too late";
        });
        await(begun);
        perdure.cancel(run.id(), WHY);
        go.countDown();

        assertCancelled(run);
    }

    @Test
    final void aRunThatSleepsIsCancelled() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, _) -> {
            ctx.sleep("long", Duration.ofHours(1));
            return "never";
        });
        until(() -> !events(run, Event.SleepStarted.class).isEmpty());
        perdure.cancel(run.id(), WHY);

        assertCancelled(run);
    }

    @Test
    final void aRunThatWaitsIsCancelledAndTakesNoSignalsAfterwards() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, _) -> ctx.waitForEvent("paid", String.class));
        untilItWaits(run);
        perdure.cancel(run.id(), WHY);

        assertFails(
                ErrorCode.RUN_ENDED,
                () -> perdure.signal(run.id(), "paid", ""),
                run.id().toString());
        assertCancelled(run);
    }

    @Test
    final void aRunThatIsParkedIsCancelled() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, _) -> ctx.attempt().idempotencyKey());
        untilItIsParked(run, ErrorCode.NOT_IN_STEP);
        perdure.cancel(run.id(), WHY);

        assertCancelled(run);
    }

    @Test
    final void aRunThatNobodyHasBegunIsCancelledAndNeverBegins() throws InterruptedException {
        Workflow<String, String> counted = workflow(String.class, (ctx, input) -> {
            later.incrementAndGet();
            return input;
        });
        Run<String> run = perdure.start(counted, "a");
        Run<String> delayed =
                perdure.start(counted, "b", StartOptions.defaults().delay(Duration.ofHours(1)));
        perdure.cancel(run.id(), WHY);
        perdure.cancel(delayed.id(), WHY);
        perdure.register(counted).start();

        assertThat(perdure.start(counted, "c").result(PATIENCE)).isEqualTo("c");
        assertCancelled(run);
        assertCancelled(delayed);
        assertThat(later).hasValue(1);
    }

    @Test
    final void whoWaitsForTheResultHearsOfTheCancelFromElsewhere() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, _) -> ctx.waitForEvent("paid", String.class));
        untilItWaits(run);
        CompletableFuture<Void> waiter = CompletableFuture.runAsync(
                () -> assertFails(ErrorCode.RUN_CANCELLED, () -> run.result(PATIENCE), WHY),
                Thread::startVirtualThread);
        try (Engine other = another()) {
            other.cancel(run.id(), WHY);
        }

        waiter.join();
        assertCancelled(run);
    }

    @Test
    final void cancellingAgainChangesNothingAndSaysSo() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, _) -> ctx.waitForEvent("paid", String.class));

        assertThat(perdure.cancel(run.id(), WHY)).isTrue();
        assertThat(perdure.cancel(run.id(), "for another reason")).isFalse();
        assertCancelled(run);
    }

    @Test
    final void aRunThatHasEndedOrNeverWasIsNotCancelled() {
        Workflow<String, String> either = serve(String.class, (_, input) -> {
            if (input.isEmpty()) {
                throw new IllegalStateException("no input");
            }
            return input;
        });
        Run<String> completed = perdure.start(either, "done");
        Run<String> failed = perdure.start(either, "");
        completed.result(PATIENCE);
        assertFails(ErrorCode.RUN_FAILED, () -> failed.result(PATIENCE));
        RunId none = RunId.parse("0199d2a4-0000-7000-8000-000000000001");

        assertFails(ErrorCode.RUN_ENDED, () -> perdure.cancel(completed.id(), WHY));
        assertFails(ErrorCode.RUN_ENDED, () -> perdure.cancel(failed.id(), WHY));
        assertFails(ErrorCode.NO_SUCH_RUN, () -> perdure.cancel(none, WHY), none.toString());
        assertThat(completed.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(failed.status()).isEqualTo(RunStatus.FAILED);
    }

    @Test
    final void theWorkflowIdOfACancelledRunIsFree() throws InterruptedException {
        Workflow<String, String> waiter = serve(String.class, (ctx, _) -> ctx.waitForEvent("paid", String.class));
        StartOptions one = StartOptions.defaults().workflowId("user-42");
        Run<String> first = perdure.start(waiter, "", one);
        perdure.cancel(first.id(), WHY);
        Run<String> second = perdure.start(waiter, "", one);
        perdure.signal(second.id(), "paid", "second");

        assertThat(second.created()).isTrue();
        assertThat(second.result(PATIENCE)).isEqualTo("second");
        assertCancelled(first);
    }
}
