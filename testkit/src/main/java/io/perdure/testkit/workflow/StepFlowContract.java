package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.core.workflow.Run;
import io.perdure.core.workflow.StartOptions;
import io.perdure.core.workflow.StepInfo;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;

/** Workflows written as named steps. */
abstract class StepFlowContract extends WorkflowFixture {
    private static final StepName START = StepFlow.FIRST;
    private static final StepName CHARGE = new StepName("charge");
    private static final StepName SHIP = new StepName("ship");

    StepFlowContract(Supplier<String> freshUrl) {
        super(freshUrl);
    }

    record Cart(String customer, List<Integer> prices) {}

    private static StepFlow order() {
        return StepFlow.named("order")
                .step("start", ctx -> {
                    Cart cart = ctx.input(Cart.class);
                    ctx.put(
                            "total",
                            cart.prices().stream().mapToInt(Integer::intValue).sum());
                    ctx.put("lines", cart.prices());
                    return Next.step("charge");
                })
                .step("charge", ctx -> {
                    ctx.put("receipt", "paid " + ctx.get("total", Integer.class));
                    return Next.step("ship");
                })
                .step(
                        "ship",
                        ctx -> Next.done(ctx.get("receipt", String.class) + " for "
                                + ctx.get("lines", new TypeReference<List<Integer>>() {})
                                        .size()));
    }

    private static StepFlow flow() {
        return StepFlow.named("flow").backoff(Backoff.fixed(Duration.ofMillis(1)));
    }

    private Run<Json> started(StepFlow flow) {
        perdure.register(flow).start();
        return perdure.start(flow, "input");
    }

    private static List<String> told(Run<?> run) {
        return run.history().stream().map(Recorded::event).map(Event::title).toList();
    }

    @Test
    final void aFlowGoesFromStepToStepAndHasItsResult() {
        StepFlow order = order();
        perdure.register(order).start();
        Run<String> run = perdure.start(order, new Cart("ann", List.of(3, 4))).as(String.class);

        assertThat(run.result(PATIENCE)).isEqualTo("paid 7 for 2");
        assertThat(told(run))
                .containsExactly(
                        "RunCreated",
                        "StepStarted \"start\"",
                        "StepCompleted \"start\"",
                        "StepStarted \"charge\"",
                        "StepCompleted \"charge\"",
                        "StepStarted \"ship\"",
                        "StepCompleted \"ship\"",
                        "RunCompleted");
        assertThat(run.info().definition().kind()).isEqualTo(RunKind.STEP_FLOW);
        assertThat(run.steps()).extracting(StepInfo::name).containsExactly(START, CHARGE, SHIP);
    }

    @Test
    final void whatAStepWroteAndWhereItLeadsIsOneEvent() {
        Run<Json> run = started(order().step("unused", _ -> Next.done()));
        Run<Json> real = perdure.start(order(), new Cart("ann", List.of(5)));
        assertThat(real.as(String.class).result(PATIENCE)).isEqualTo("paid 5 for 1");

        assertThat(events(real, Event.StepCompleted.class).get(1)).satisfies(done -> {
            assertThat(done.writes()).containsOnlyKeys("receipt");
            assertThat(done.next()).isEqualTo(SHIP);
        });
        assertThat(run.id()).isNotEqualTo(real.id());
    }

    @Test
    final void theEndIsCommittedTogetherWithTheStepThatCausedIt() {
        Run<Json> completed = started(flow().step("start", _ -> Next.done(1)));
        completed.result(PATIENCE);
        List<Recorded> history = completed.history();

        assertThat(history.getLast().event()).isInstanceOf(Event.RunCompleted.class);
        assertThat(history.getLast().at())
                .isEqualTo(history.get(history.size() - 2).at());
    }

    @Test
    final void whatWasWrittenAtTheStartIsReadable() {
        StepFlow flow = flow().step(
                        "start",
                        ctx -> Next.done(ctx.get("greeting", String.class) + " "
                                + ctx.find("nothing", String.class).orElse("nobody")));
        perdure.register(flow).start();
        Run<Json> run = perdure.start(flow, null, StartOptions.defaults().write("greeting", "hello"));

        assertThat(run.as(String.class).result(PATIENCE)).isEqualTo("hello nobody");
    }

    @Test
    final void aStepReadsWhatWasCompletedAndNotWhatItWritesItself() {
        List<Optional<Integer>> seen = new ArrayList<>();
        Run<Json> run = started(flow().step("start", ctx -> {
                    ctx.put("n", 1);
                    seen.add(ctx.find("n", Integer.class));
                    return Next.step("next");
                })
                .step("next", ctx -> {
                    ctx.put("n", 2);
                    seen.add(ctx.find("n", Integer.class));
                    return Next.done();
                }));

        assertThat(run.result(PATIENCE)).isEqualTo(Json.NULL);
        assertThat(seen).containsExactly(Optional.empty(), Optional.of(1));
    }

    @Test
    final void whatAFailedAttemptWroteIsForgotten() {
        AtomicInteger attempts = new AtomicInteger();
        Run<Json> run = started(flow().step("start", ctx -> {
                    if (attempts.incrementAndGet() == 1) {
                        ctx.put("left", "over");
                        throw new IOException("once");
                    }
                    return Next.step("look");
                })
                .step("look", ctx -> Next.done(ctx.find("left", String.class).isPresent())));

        assertThat(run.as(Boolean.class).result(PATIENCE)).isFalse();
        assertThat(events(run, Event.StepFailed.class)).singleElement().satisfies(failed -> {
            assertThat(failed.attempt()).isEqualTo(1);
            assertThat(failed.retryable()).isTrue();
        });
        assertThat(events(run, Event.StepStarted.class))
                .extracting(Event.StepStarted::attempt)
                .containsExactly(1, 2, 1);
    }

    @Test
    final void aFlowMayComeByAStepAgain() {
        Run<Json> run = started(flow().step("start", ctx -> {
            int turn = ctx.find("turn", Integer.class).orElse(0) + 1;
            ctx.put("turn", turn);
            return turn < 4 ? Next.step("start") : Next.done(turn);
        }));

        assertThat(run.as(Integer.class).result(PATIENCE)).isEqualTo(4);
        assertThat(run.steps())
                .hasSize(4)
                .allSatisfy(step -> assertThat(step.endedAt()).isNotNull());
    }

    @Test
    final void aStepWhoseAttemptsAreUsedUpFailsTheRunInOneCommit() {
        Run<Json> run = started(flow().maxAttempts(2).step("start", ctx -> {
            throw new IOException("attempt " + ctx.attempt().number());
        }));

        assertFails(ErrorCode.RUN_FAILED, () -> run.result(PATIENCE), "attempt 2");
        assertThat(told(run))
                .containsExactly(
                        "RunCreated",
                        "StepStarted \"start\"",
                        "StepFailed \"start\"",
                        "StepStarted \"start\"",
                        "StepFailed \"start\"",
                        "RunFailed");
        List<Recorded> history = run.history();
        assertThat(history.getLast().at())
                .isEqualTo(history.get(history.size() - 2).at());
    }

    @Test
    final void threeAttemptsAreMadeUnlessSaidOtherwise() {
        AtomicInteger attempts = new AtomicInteger();
        Run<Json> run = started(flow().step("start", _ -> {
            attempts.incrementAndGet();
            throw new IOException("always");
        }));

        assertFails(ErrorCode.RUN_FAILED, () -> run.result(PATIENCE), "always");
        assertThat(attempts).hasValue(3);
    }

    @Test
    final void anErrorThatNoAttemptMendsFailsTheRunAtOnce() {
        Run<Json> run = started(flow().notOn(IllegalStateException.class).step("start", _ -> {
            throw new IllegalStateException("for good");
        }));

        assertFails(ErrorCode.RUN_FAILED, () -> run.result(PATIENCE), "for good");
        assertThat(events(run, Event.StepFailed.class))
                .singleElement()
                .extracting(Event.StepFailed::retryable)
                .isEqualTo(false);
    }

    @Test
    final void anAttemptThatTakesTooLongIsInterruptedAndTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        Run<Json> run = started(flow().stepTimeout(Duration.ofMillis(50)).step("start", ctx -> {
            if (attempts.incrementAndGet() == 1) {
                new CountDownLatch(1).await();
            }
            return Next.done(ctx.attempt().number());
        }));

        assertThat(run.as(Integer.class).result(PATIENCE)).isEqualTo(2);
        assertThat(events(run, Event.StepFailed.class))
                .singleElement()
                .extracting(failed -> failed.reason().type())
                .isEqualTo("timeout");
    }

    @Test
    final void aRetryThatIsFarOffLetsGoOfTheRunAndComesInAnotherProcess() throws InterruptedException {
        StepFlow flow = StepFlow.named("flow")
                .backoff(Backoff.fixed(Duration.ofMillis(600)))
                .step("start", ctx -> {
                    if (ctx.attempt().number() == 1) {
                        throw new IOException("once");
                    }
                    return Next.done(ctx.attempt().number());
                });
        Run<Json> run = started(flow);
        until(() -> !events(run, Event.StepFailed.class).isEmpty() && perdure.working() == 0);
        reopen(OpenOptions.defaults());
        perdure.register(flow).start();

        assertThat(perdure.run(run.id()).as(Integer.class).result(PATIENCE)).isEqualTo(2);
    }

    @Test
    final void aStartWithAWorkflowIdThatIsActiveAnswersThatRun() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        StepFlow flow = flow().step("start", _ -> {
            await(go);
            return Next.done("over");
        });
        perdure.register(flow).start();
        StartOptions one = StartOptions.defaults().workflowId("user-42");
        Run<Json> first = perdure.start(flow, null, one);
        Run<Json> second = perdure.start(flow, null, one);

        assertThat(first.created()).isTrue();
        assertThat(second.created()).isFalse();
        assertThat(second.id()).isEqualTo(first.id());
        go.countDown();
        assertThat(second.as(String.class).result(PATIENCE)).isEqualTo("over");
        assertThat(perdure.start(flow, null, one).created()).isTrue();
    }

    @Test
    final void aKeyThatLeadsToAnotherWorkflowIdIsRefused() {
        StepFlow flow = flow().step("start", _ -> Next.done());
        perdure.register(flow).start();
        StartOptions key = StartOptions.defaults().idempotencyKey("k");
        Run<Json> first = perdure.start(flow, null, key.workflowId("a"));

        assertFails(
                ErrorCode.WORKFLOW_ID_MISMATCH,
                () -> perdure.start(flow, null, key.workflowId("b")),
                first.id().toString(),
                "\"a\"",
                "\"b\"");
        assertThat(perdure.start(flow, null, key).id()).isEqualTo(first.id());
        assertThat(perdure.start(flow, null, key.workflowId("a")).id()).isEqualTo(first.id());
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
                .satisfies(parked -> assertThat(parked.detail()).contains("\"finish\"", "flow@1", "\"start\""));
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
        List<io.perdure.sdk.workflow.StepFlowContext> kept = new ArrayList<>();
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

    @Test
    final void aCancelEndsAFlowInItsStep() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Run<Json> run = started(flow().step("start", _ -> {
            inside.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            return Next.done();
        }));
        await(inside);
        perdure.cancel(run.id(), "enough");
        await(interrupted);

        assertThat(run.status()).isEqualTo(RunStatus.CANCELLED);
        until(() -> perdure.working() == 0);
        assertThat(events(run, Event.StepFailed.class)).isEmpty();
    }

    @Test
    final void aFlowThatIsLeftInAStepIsBegunAnewByTheNextProcess() throws InterruptedException {
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch inside = new CountDownLatch(1);
        StepFlow flow = flow().step("start", ctx -> {
            if (begun.incrementAndGet() == 1) {
                inside.countDown();
                new CountDownLatch(1).await();
            }
            return Next.done(ctx.attempt().number());
        });
        reopen(OpenOptions.defaults().drain(Duration.ZERO));
        Run<Json> run = started(flow);
        await(inside);
        reopen(OpenOptions.defaults());
        perdure.register(flow).start();

        // It was stopped, and did not fail: the attempt is the same.
        Run<Json> again = perdure.run(run.id());
        assertThat(again.as(Integer.class).result(PATIENCE)).isEqualTo(1);
        assertThat(events(again, Event.StepStarted.class))
                .extracting(Event.StepStarted::attempt)
                .containsExactly(1, 1);
    }
}
