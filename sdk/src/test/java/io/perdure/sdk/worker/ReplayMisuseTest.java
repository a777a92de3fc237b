package io.perdure.sdk.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.workflow.WorkflowCode;
import io.perdure.sdk.workflow.WorkflowContext;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What the code must not do parks its run, whatever the code does about it afterwards. */
class ReplayMisuseTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static void assertParked(Command command, ErrorCode code) {
        assertThat(command)
                .isInstanceOfSatisfying(
                        Command.Park.class, park -> assertThat(park.reason()).isEqualTo(code.code()));
    }

    private static void assertNextParks(ErrorCode code, WorkflowCode<Json, Object> misuse) {
        assertParked(Histories.empty().next(misuse), code);
    }

    private static void assertPlayParks(ErrorCode code, WorkflowCode<Json, Object> misuse) {
        assertParked(Histories.empty().play(misuse), code);
    }

    private static void inAnotherThread(Runnable task) throws InterruptedException {
        Thread.ofVirtual().start(task).join();
    }

    /** The mistake as the code sees it: it may look at it, and even hide it. */
    private static void attempted(Runnable misuse, ErrorCode code) {
        assertThatExceptionOfType(WorkflowCodeException.class)
                .isThrownBy(misuse::run)
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(code));
    }

    @Test
    void aNameUsedTwice() {
        assertPlayParks(ErrorCode.NAME_REUSED, (ctx, _) -> {
            ctx.step("a", () -> {});
            ctx.step("a", () -> {});
            return "over";
        });
        assertPlayParks(ErrorCode.NAME_REUSED, (ctx, _) -> {
            ctx.step("a", () -> {});
            ctx.sleep("a", HOUR);
            return "over";
        });
    }

    @Test
    void aNameUsedTwiceIsNoticedInReplayToo() {
        assertParked(
                Histories.empty().completed("a", null).next((ctx, _) -> {
                    ctx.step("a", () -> {});
                    ctx.step("a", () -> {});
                    return "over";
                }),
                ErrorCode.NAME_REUSED);
    }

    @Test
    void catchingTheSuspensionAndReturning() {
        assertNextParks(ErrorCode.SUSPENSION_CAUGHT, (ctx, _) -> {
            try {
                ctx.sleep("a", HOUR);
            } catch (Throwable e) {
                return "went on: " + e.getMessage();
            }
            return "over";
        });
    }

    @Test
    void catchingTheSuspensionAndThrowingSomethingElse() {
        assertNextParks(ErrorCode.SUSPENSION_CAUGHT, (ctx, _) -> {
            try {
                ctx.sleep("a", HOUR);
            } catch (Throwable e) {
                throw new IllegalStateException("wrapped", e);
            }
            return "over";
        });
    }

    @Test
    void afterACaughtSuspensionEveryCallSuspendsAgain() {
        AtomicInteger ran = new AtomicInteger();
        assertNextParks(ErrorCode.SUSPENSION_CAUGHT, (ctx, _) -> {
            try {
                ctx.sleep("a", HOUR);
            } catch (Throwable e) {
                try {
                    ctx.step("b", ran::incrementAndGet);
                } catch (Throwable again) {
                    return String.valueOf(again.getMessage());
                }
            }
            return "over";
        });
        assertThat(ran).hasValue(0);
    }

    @Test
    void cleaningUpWhileSuspendedIsNoMisuse() {
        Command next = Histories.empty().next((ctx, _) -> {
            try {
                ctx.sleep("a", HOUR);
            } finally {
                ctx.step("clean-up", () -> {});
            }
            return "over";
        });

        assertThat(next).isInstanceOf(Command.Sleep.class);
    }

    @Test
    void aResourceThatIsClosedByAStepIsNoMisuse() {
        Command next = Histories.empty().next((ctx, _) -> {
            try (AutoCloseable _ = () -> ctx.step("clean-up", () -> {})) {
                ctx.sleep("a", HOUR);
            }
            return "over";
        });

        assertThat(next).isInstanceOf(Command.Sleep.class);
    }

    @Test
    void anotherThread() {
        assertNextParks(ErrorCode.WRONG_THREAD, (ctx, _) -> {
            inAnotherThread(() -> attempted(() -> ctx.step("a", () -> {}), ErrorCode.WRONG_THREAD));
            return "hidden";
        });
    }

    @Test
    void anotherThreadThatAStepStarted() {
        assertPlayParks(ErrorCode.WRONG_THREAD, (ctx, _) -> {
            ctx.step(
                    "a",
                    () -> inAnotherThread(() -> attempted(() -> ctx.sleep("b", HOUR), ErrorCode.WRONG_THREAD)),
                    Retry.fixed(9, Duration.ZERO));
            return "over";
        });
    }

    @Test
    void afterTheEnd() {
        AtomicReference<WorkflowContext> kept = new AtomicReference<>();
        assertThat(Histories.empty().next((ctx, _) -> {
                    kept.set(ctx);
                    return "over";
                }))
                .isInstanceOf(Command.Complete.class);

        attempted(() -> kept.get().step("late", () -> {}), ErrorCode.CONTEXT_ENDED);
        attempted(() -> kept.get().now(), ErrorCode.CONTEXT_ENDED);
        attempted(() -> kept.get().attempt(), ErrorCode.CONTEXT_ENDED);
        assertThat(kept.get().runId()).isEqualTo(Histories.RUN);
    }

    @Test
    void insideAStep() {
        assertPlayParks(ErrorCode.INSIDE_STEP, (ctx, _) -> {
            ctx.step("outer", () -> ctx.step("inner", () -> {}), Retry.fixed(9, Duration.ZERO));
            return "over";
        });
        assertPlayParks(ErrorCode.INSIDE_STEP, (ctx, _) -> ctx.step("outer", Instant.class, ctx::now));
    }

    @Test
    void insideAStepThatHidesIt() {
        assertPlayParks(ErrorCode.INSIDE_STEP, (ctx, _) -> {
            ctx.step("outer", () -> attempted(() -> ctx.sleep("inner", HOUR), ErrorCode.INSIDE_STEP));
            return "hidden";
        });
    }

    @Test
    void theAttemptOutsideAStep() {
        assertNextParks(ErrorCode.NOT_IN_STEP, (ctx, _) -> ctx.attempt().number());
        assertPlayParks(ErrorCode.NOT_IN_STEP, (ctx, _) -> {
            ctx.step("a", () -> {});
            return ctx.attempt().number();
        });
    }

    @Test
    void theAttemptInsideAStepIsTold() {
        assertThat(Histories.empty()
                        .play((ctx, _) -> ctx.step("a", String.class, () -> {
                            var attempt = ctx.attempt();
                            return attempt.number() + " " + attempt.idempotencyKey();
                        })))
                .isEqualTo(new Command.Complete(Json.string("1 " + Histories.RUN + "/a")));
    }

    @Test
    void aNameThatIsNotValid() {
        assertNextParks(ErrorCode.INVALID_NAME, (ctx, _) -> {
            ctx.step("not a name", () -> {});
            return "over";
        });
        assertNextParks(ErrorCode.INVALID_NAME, (ctx, _) -> {
            ctx.sleep("", HOUR);
            return "over";
        });
    }

    @Test
    void aTimeThatIsNone() {
        assertNextParks(ErrorCode.OUT_OF_BOUNDS, (ctx, _) -> {
            ctx.sleep("a", Duration.ofSeconds(-1));
            return "over";
        });
        assertNextParks(ErrorCode.OUT_OF_BOUNDS, (ctx, _) -> {
            ctx.sleepUntil("a", Instant.EPOCH.minusSeconds(1));
            return "over";
        });
    }

    @Test
    void theFirstMistakeCounts() {
        assertNextParks(ErrorCode.INVALID_NAME, (ctx, _) -> {
            try {
                ctx.step("not a name", () -> {});
            } catch (RuntimeException e) {
                ctx.attempt();
            }
            return "over";
        });
    }

    @Test
    void afterAMistakeNothingIsDone() {
        AtomicInteger ran = new AtomicInteger();
        assertPlayParks(ErrorCode.INVALID_NAME, (ctx, _) -> {
            try {
                ctx.step("not a name", () -> {});
            } catch (RuntimeException e) {
                ctx.step("b", ran::incrementAndGet);
            }
            return "over";
        });
        assertThat(ran).hasValue(0);
    }

    @Test
    void theLongestNamesAndTimesAreTaken() {
        String name = "n".repeat(100);
        assertThat(Histories.empty().next((ctx, _) -> {
                    ctx.sleep(name, Duration.ofSeconds(Long.MAX_VALUE));
                    return "over";
                }))
                .isInstanceOfSatisfying(
                        Command.Sleep.class, sleep -> assertThat(sleep.name()).isEqualTo(new StepName(name)));
        assertThat(Histories.empty().next((ctx, _) -> {
                    ctx.sleepUntil(name, Instant.MAX);
                    return "over";
                }))
                .isInstanceOf(Command.Sleep.class);
    }
}
