package io.perdure.testkit.workflow;

import static io.perdure.testkit.TimedAttempt.withTimeEnough;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Steps that fail, and how they are tried again. */
abstract class RetryContract extends WorkflowFixture {
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final Duration LONG = Duration.ofMillis(600);

    RetryContract(Opening opening) {
        super(opening);
    }

    @Test
    final void attemptsAreCountedFromOne() {
        Run<Integer> run = started(
                Integer.class,
                (ctx, _) -> ctx.step(
                        "flaky",
                        Integer.class,
                        () -> {
                            if (ctx.attempt().number() < 3) {
                                throw new IOException("attempt " + ctx.attempt().number());
                            }
                            return ctx.attempt().number();
                        },
                        Retry.fixed(3, SHORT)));

        assertThat(run.result(PATIENCE)).isEqualTo(3);
        assertThat(events(run, Event.StepFailed.class))
                .extracting(Event.StepFailed::attempt)
                .containsExactly(1, 2);
        assertThat(events(run, Event.StepFailed.class))
                .extracting(failed -> failed.reason().message())
                .containsExactly("attempt 1", "attempt 2");
    }

    @Test
    final void theIdempotencyKeyIsTheSameForEveryAttempt() {
        Set<String> keys = ConcurrentHashMap.newKeySet();
        Run<String> run = started(
                String.class,
                (ctx, _) -> ctx.step(
                        "flaky",
                        String.class,
                        () -> {
                            keys.add(ctx.attempt().idempotencyKey());
                            if (ctx.attempt().number() < 3) {
                                throw new IOException("once more");
                            }
                            return "done";
                        },
                        Retry.fixed(3, SHORT)));

        run.result(PATIENCE);
        assertThat(keys).containsExactly(run.id() + "/flaky");
    }

    @Test
    final void aLongDelayFreesTheWorker() throws InterruptedException {
        Workflow<String, Integer> flaky = serve(
                Integer.class,
                (ctx, delay) -> ctx.step(
                        "flaky",
                        Integer.class,
                        () -> {
                            if (ctx.attempt().number() == 1) {
                                throw new IOException("later");
                            }
                            return ctx.attempt().number();
                        },
                        Retry.fixed(2, Duration.parse(delay))));

        withTimeEnough(LONG, delay -> {
            Run<Integer> run = perdure.start(flaky, delay.toString());
            until(() -> !events(run, Event.StepFailed.class).isEmpty() && perdure.working() == 0);
            boolean letGo = run.status() == RunStatus.RUNNING;
            assertThat(run.result(PATIENCE)).isEqualTo(2);
            List<Recorded> history = run.history();
            assertThat(history.get(2).at()).isAfterOrEqualTo(history.get(1).until());
            return letGo;
        });
    }

    @Test
    final void anErrorNamedAsFinalIsTheLast() {
        AtomicInteger ran = new AtomicInteger();
        Run<String> run = started(
                String.class,
                (ctx, _) -> ctx.step(
                        "fatal",
                        String.class,
                        () -> {
                            ran.incrementAndGet();
                            throw new FileNotFoundException("gone");
                        },
                        Retry.fixed(5, SHORT).notOn(IOException.class)));

        assertFails(ErrorCode.RUN_FAILED, () -> run.result(PATIENCE), "java.io.FileNotFoundException", "gone");
        assertThat(ran).hasValue(1);
        assertThat(events(run, Event.StepFailed.class))
                .singleElement()
                .extracting(Event.StepFailed::retryable)
                .isEqualTo(false);
    }

    @Test
    final void theLastFailureAndTheEndOfTheRunAreOneCommit() {
        Run<String> run = started(
                String.class,
                (ctx, _) -> ctx.step(
                        "broken",
                        String.class,
                        () -> {
                            throw new IOException("outer", new IllegalStateException("inner"));
                        },
                        Retry.fixed(2, SHORT)));

        assertFails(
                ErrorCode.RUN_FAILED,
                () -> run.result(PATIENCE),
                "outer",
                run.id().toString());
        List<Recorded> history = run.history();
        Recorded step = history.get(history.size() - 2);
        Recorded end = history.getLast();
        Failure why = new Failure(
                "java.io.IOException", "outer", new Failure("java.lang.IllegalStateException", "inner", null));
        assertThat(step.event()).isInstanceOf(Event.StepFailed.class);
        assertThat(end.event()).isInstanceOfSatisfying(Event.RunFailed.class, failed -> {
            assertThat(failed.reason().withoutStackTrace()).isEqualTo(why);
            assertThat(run.info().error()).isEqualTo(failed.reason());
        });
        assertThat(end.at()).isEqualTo(step.at());
        assertFails(
                ErrorCode.RUN_FAILED,
                () -> perdure.run(run.id()).result(PATIENCE),
                "outer",
                run.id().toString());
    }

    @Test
    final void anErrorInAStepIsTriedAgainToo() {
        assertThat(resultOf(
                        Integer.class,
                        (ctx, _) -> ctx.step(
                                "flaky",
                                Integer.class,
                                () -> {
                                    if (ctx.attempt().number() == 1) {
                                        throw new StackOverflowError();
                                    }
                                    return ctx.attempt().number();
                                },
                                Retry.fixed(2, SHORT))))
                .isEqualTo(2);
    }

    @Test
    final void anAttemptThatTakesTooLongIsInterruptedAndTheNextBeginsAfterItsEnd() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Run<Integer> run = started(
                Integer.class,
                (ctx, _) -> ctx.step(
                        "slow",
                        Integer.class,
                        () -> {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            try {
                                if (ctx.attempt().number() == 1) {
                                    new CountDownLatch(1).await();
                                }
                                return ctx.attempt().number();
                            } finally {
                                inside.decrementAndGet();
                            }
                        },
                        Retry.fixed(2, SHORT).timeout(Duration.ofMillis(50))));

        assertThat(run.result(PATIENCE)).isEqualTo(2);
        assertThat(most).hasValue(1);
        assertThat(events(run, Event.StepFailed.class))
                .singleElement()
                .extracting(failed -> failed.reason().type())
                .isEqualTo("timeout");
    }

    @Test
    final void aStepThatIgnoresItsTimeoutAndReturnsHasCompleted() {
        Run<Boolean> run = started(Boolean.class, (ctx, _) -> {
            boolean interrupted = ctx.step(
                    "stubborn",
                    Boolean.class,
                    () -> {
                        try {
                            new CountDownLatch(1).await();
                            return false;
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                            return true;
                        }
                    },
                    Retry.never().timeout(Duration.ofMillis(50)));
            // The interrupt does not reach what comes after the step.
            return interrupted && !Thread.currentThread().isInterrupted();
        });

        assertThat(run.result(PATIENCE)).isTrue();
        assertThat(events(run, Event.StepFailed.class)).isEmpty();
    }

    @Test
    final void aTimeoutOfCenturiesIsTaken() {
        assertThat(resultOf(
                        String.class,
                        (ctx, _) -> ctx.step(
                                "a",
                                String.class,
                                () -> "done",
                                Retry.never().timeout(Duration.ofSeconds(Long.MAX_VALUE)))))
                .isEqualTo("done");
    }

    @Test
    final void aDelayOfCenturiesIsTaken() throws InterruptedException {
        Run<String> run = started(
                String.class,
                (ctx, _) -> ctx.step(
                        "a",
                        String.class,
                        () -> {
                            throw new IOException("later");
                        },
                        Retry.fixed(2, Duration.ofSeconds(Long.MAX_VALUE))));

        until(() -> !events(run, Event.StepFailed.class).isEmpty() && perdure.working() == 0);
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    final void anExceptionOutsideAStepFailsTheRunAtOnce() {
        AtomicInteger ran = new AtomicInteger();
        Run<String> run = started(String.class, (ctx, _) -> {
            ran.incrementAndGet();
            ctx.step("a", () -> {});
            throw new IllegalStateException("between steps");
        });

        assertFails(ErrorCode.RUN_FAILED, () -> run.result(PATIENCE), "between steps");
        assertThat(ran).hasValue(1);
        assertThat(run.history()).hasSize(3);
    }

    @Test
    final void anErrorWhoseMessageCannotBeToldStillFailsItsStep() {
        AtomicInteger ran = new AtomicInteger();
        Run<String> run = started(
                String.class,
                (ctx, _) -> ctx.step(
                        "a",
                        String.class,
                        () -> {
                            ran.incrementAndGet();
                            throw new IllegalStateException("x") {
                                private static final long serialVersionUID = 1L;

                                @Override
                                public String getMessage() {
                                    throw new UnsupportedOperationException("no message");
                                }
                            };
                        },
                        Retry.never()));

        assertFails(ErrorCode.RUN_FAILED, () -> run.result(PATIENCE), "no message");
        assertThat(ran).hasValue(1);
    }
}
