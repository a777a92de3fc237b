package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowCode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Runs that their deadline meets, wherever they are. */
abstract class DeadlineContract extends WorkflowFixture {
    private static final Duration SOON = Duration.ofMillis(400);
    private static final Duration LATER = Duration.ofHours(1);

    DeadlineContract(Opening opening) {
        super(opening);
    }

    private Run<String> due(WorkflowCode<String, String> code) {
        return perdure.start(
                serve(String.class, code), "", StartOptions.defaults().deadline(SOON));
    }

    private Run<String> due(Predicate<Run<String>> soFar, WorkflowCode<String, String> code)
            throws InterruptedException {
        return dueSoon(serve(String.class, code), soFar);
    }

    private static Instant deadlineOf(Run<?> run) {
        return Objects.requireNonNull(run.info().deadline());
    }

    private void assertMissedItsDeadline(Run<String> run) throws InterruptedException {
        String deadline = deadlineOf(run).toString();
        assertFails(ErrorCode.RUN_CANCELLED, () -> run.result(PATIENCE), "deadline", deadline);
        until(() -> perdure.working() == 0);
        assertThat(run.status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(run.history().getLast().at()).isAfterOrEqualTo(deadlineOf(run));
        assertThat(run.history().getLast().event()).isInstanceOfSatisfying(Event.RunCancelled.class, cancelled -> {
            assertThat(cancelled.by()).isEqualTo("perdure");
            assertThat(cancelled.reason()).contains(deadline);
        });
        assertThat(events(run, Event.RunCancelled.class)).hasSize(1);
        assertThat(events(run, Event.StepFailed.class)).isEmpty();
    }

    @Test
    final void aRunThatSleepsIsCancelled() throws InterruptedException {
        assertMissedItsDeadline(due((ctx, _) -> {
            ctx.sleep("long", LATER);
            return "never";
        }));
    }

    @Test
    final void aRunThatWaitsIsCancelled() throws InterruptedException {
        Run<String> run = due((ctx, _) -> ctx.waitForEvent("paid", String.class));

        assertMissedItsDeadline(run);
        assertFails(ErrorCode.RUN_ENDED, () -> perdure.signal(run.id(), "paid", ""));
    }

    @Test
    final void aRunWhoseWaitEndsLaterIsCancelledAndTheWaitDoesNotEnd() throws InterruptedException {
        Run<String> run =
                due((ctx, _) -> ctx.waitForEvent("paid", String.class, LATER).orElse("nothing"));

        assertMissedItsDeadline(run);
        assertThat(events(run, Event.WaitTimedOut.class)).isEmpty();
    }

    @Test
    final void aRunThatWaitsForItsNextAttemptIsCancelled() throws InterruptedException {
        Run<String> run = due(
                failed -> !events(failed, Event.StepFailed.class).isEmpty(),
                (ctx, _) -> ctx.step(
                        "flaky",
                        String.class,
                        () -> {
                            throw new IOException("later");
                        },
                        Retry.fixed(2, LATER)));

        assertFails(ErrorCode.RUN_CANCELLED, () -> run.result(PATIENCE), "deadline");
        assertThat(events(run, Event.StepFailed.class)).hasSize(1);
    }

    @Test
    final void aStepUnderWayIsInterruptedAndNotTriedAgain() throws InterruptedException {
        AtomicInteger attempts = new AtomicInteger();
        Run<String> run = due(
                _ -> attempts.get() > 0,
                (ctx, _) -> ctx.step(
                        "endless",
                        String.class,
                        () -> {
                            attempts.incrementAndGet();
                            new CountDownLatch(1).await();
                            return "never";
                        },
                        Retry.fixed(5, Duration.ofMillis(1))));

        assertMissedItsDeadline(run);
        assertThat(attempts).hasValue(1);
    }

    @Test
    final void aStepWithALongerTimeoutIsInterruptedAtTheDeadline() throws InterruptedException {
        assertMissedItsDeadline(due((ctx, _) -> ctx.step(
                "endless",
                String.class,
                () -> {
                    new CountDownLatch(1).await();
                    return "never";
                },
                Retry.never().timeout(LATER))));
    }

    @Test
    final void codeThatIgnoresItsInterruptAndReturnsHasNotCompleted() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicInteger interrupts = new AtomicInteger();
        Run<String> run = due(
                _ -> begun.getCount() == 0,
                (ctx, _) -> ctx.step("stubborn", String.class, () -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupts.incrementAndGet();
                    }
                    return "too late";
                }));

        assertMissedItsDeadline(run);
        assertThat(interrupts).hasValue(1);
        assertThat(events(run, Event.RunCompleted.class)).isEmpty();
    }

    @Test
    final void aStepThatFailsAfterTheDeadlineIsNotTriedAgain() throws InterruptedException {
        AtomicInteger attempts = new AtomicInteger();
        Run<String> run = due(
                _ -> attempts.get() > 0,
                (ctx, _) -> ctx.step(
                        "slow",
                        String.class,
                        () -> {
                            attempts.incrementAndGet();
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                throw new IOException("of its own", e);
                            }
                            return "never";
                        },
                        Retry.fixed(5, Duration.ofMillis(1))));

        assertMissedItsDeadline(run);
        assertThat(attempts).hasValue(1);
    }

    @Test
    final void aDeadlineThatWasOverLongBeforeAnybodyCameCancelsTheRunUnbegun() throws InterruptedException {
        AtomicInteger ran = new AtomicInteger();
        Workflow<String, String> late = workflow(String.class, (_, input) -> {
            ran.incrementAndGet();
            return input;
        });
        Run<String> run = perdure.start(late, "", StartOptions.defaults().deadline(SOON));
        until(() -> Instant.now().isAfter(deadlineOf(run).plus(SOON)));
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
        perdure.register(late).start();

        assertMissedItsDeadline(run);
        assertThat(ran).hasValue(0);
    }

    @Test
    final void aParkedRunIgnoresItsDeadlineUntilItIsResumed() throws InterruptedException {
        Run<String> run = due(
                parked -> parked.status() == RunStatus.PARKED,
                (ctx, _) -> ctx.attempt().idempotencyKey());
        untilItIsParked(run, ErrorCode.NOT_IN_STEP);
        until(() -> Instant.now().isAfter(deadlineOf(run).plus(SOON)));
        assertThat(run.status()).isEqualTo(RunStatus.PARKED);
        perdure.resume(run.id(), "let it meet its deadline");

        assertMissedItsDeadline(run);
    }
}
