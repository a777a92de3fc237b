package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.run.StepInfo;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;

/** Workflows written as named steps. */
abstract class StepFlowContract extends FlowFixture {
    private static final StepName START = StepFlow.FIRST;
    private static final StepName CHARGE = new StepName("charge");
    private static final StepName SHIP = new StepName("ship");

    StepFlowContract(Opening opening) {
        super(opening);
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
        assertThat(run.info().kind()).isEqualTo(RunKind.STEP_FLOW);
        assertThat(run.steps()).extracting(StepInfo::name).containsExactly(START, CHARGE, SHIP);
    }

    @Test
    final void whatAStepWroteAndWhereItLeadsIsOneEvent() {
        StepFlow order = order();
        perdure.register(order).start();
        Run<Json> run = perdure.start(order, new Cart("ann", List.of(5)));
        assertThat(run.as(String.class).result(PATIENCE)).isEqualTo("paid 5 for 1");

        assertThat(events(run, Event.StepCompleted.class).get(1)).satisfies(done -> {
            assertThat(done.writes()).containsOnlyKeys("receipt");
            assertThat(done.next()).isEqualTo(SHIP);
        });
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
}
