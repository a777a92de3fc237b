package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StepInfo;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Steps and sleeps, and what their values look like. */
abstract class StepContract extends WorkflowFixture {
    StepContract(Opening opening) {
        super(opening);
    }

    /** A value of a user. */
    public record Order(String orderId, List<Integer> lines, Instant placedAt) {}

    private static final Order ORDER = new Order("o-1", List.of(1, 2), Instant.parse("2026-01-01T00:00:00.123456789Z"));

    @Test
    final void aStepAnswersWhatItsCodeReturned() {
        assertThat(resultOf(Order.class, (ctx, _) -> ctx.step("order", Order.class, () -> ORDER)))
                .isEqualTo(ORDER);
    }

    @Test
    final void aStepMayReturnATypeWithParameters() {
        assertThat(resultOf(Boolean.class, (ctx, _) -> {
                    Map<String, List<Order>> orders = ctx.step(
                            "orders",
                            new TypeReference<Map<String, List<Order>>>() {},
                            () -> Map.of("a", List.of(ORDER)));
                    return orders.equals(Map.of("a", List.of(ORDER)));
                }))
                .isTrue();
    }

    @Test
    final void aStepMayReturnNullOrNothing() {
        Run<Boolean> run = started(Boolean.class, (ctx, _) -> {
            ctx.step("nothing", () -> {});
            return ctx.step("null", String.class, Nothing::nothing) == null;
        });

        assertThat(run.result(PATIENCE)).isTrue();
        assertThat(events(run, Event.StepCompleted.class))
                .extracting(Event.StepCompleted::output)
                .containsExactly(null, Json.NULL);
    }

    @Test
    final void aRunMayResultInNull() {
        Run<String> run = started(String.class, (_, _) -> Nothing.nothing());

        assertThat(run.result(PATIENCE)).isNull();
        assertThat(perdure.run(run.id()).result(PATIENCE)).isEqualTo(Json.NULL);
    }

    @Test
    final void theFirstRunSeesWhatJsonGivesBack() {
        assertThat(resultOf(String.class, (ctx, _) -> {
                    Object read = ctx.step("a", Object.class, () -> Instant.EPOCH);
                    return read.getClass().getSimpleName();
                }))
                .isEqualTo("String");
    }

    @Test
    final void anyTextComesBackAsItWas() {
        String odd = "\u0000 \uD800 \" \\ 😀 \u2028";
        Run<String> run = started(String.class, (ctx, _) -> ctx.step("odd", String.class, () -> odd));

        assertThat(run.result(PATIENCE)).isEqualTo(odd);
        assertThat(perdure.run(run.id()).result(PATIENCE).text()).contains("\\u0000");
    }

    @Test
    final void anErrorWithAnyTextFailsItsRun() {
        Run<String> run = started(String.class, (_, _) -> {
            throw new IllegalStateException("\u0000 \uD800 " + "x".repeat(100_000));
        });

        assertFails(ErrorCode.RUN_FAILED, () -> run.result(PATIENCE));
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
    }

    @Test
    final void aSleepIsNotShorterThanItSays() {
        for (long millis : new long[] {100, 400}) {
            Workflow<String, String> sleeper = Workflow.named("sleeper_" + millis)
                    .run(String.class, String.class, (ctx, _) -> {
                        ctx.sleep("pause", Duration.ofMillis(millis));
                        return ctx.now().toString();
                    });
            reopen(OpenOptions.defaults());
            perdure.register(sleeper).start();
            Run<String> run = perdure.start(sleeper, "");
            Instant end = Instant.parse(run.result(PATIENCE));

            assertThat(end).isAfterOrEqualTo(run.info().startedAt().plusMillis(millis));
            assertThat(run.info().completedAt()).isAfterOrEqualTo(end);
        }
    }

    @Test
    final void aSleepUntilATimeThatIsOverEndsAtOnceAndTimeDoesNotGoBack() {
        Run<Instant> run = started(Instant.class, (ctx, _) -> {
            ctx.sleepUntil("past", Instant.EPOCH);
            return ctx.now();
        });

        assertThat(run.result(PATIENCE)).isAfterOrEqualTo(run.info().startedAt());
    }

    @Test
    final void aSleepOfAgesIsTaken() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, _) -> {
            ctx.sleep("ages", Duration.ofDays(1_000_000_000));
            return "never";
        });

        until(() -> !events(run, Event.SleepStarted.class).isEmpty() && perdure.working() == 0);
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    final void aFlagThatTheCodeLeftSetDoesNotKeepItFromSleeping() {
        assertThat(resultOf(String.class, (ctx, _) -> {
                    Thread.currentThread().interrupt();
                    ctx.sleep("short", Duration.ofMillis(20));
                    return "slept";
                }))
                .isEqualTo("slept");
    }

    @Test
    final void stepsTellTheirTimes() {
        Run<String> run = started(String.class, (ctx, _) -> {
            ctx.step("a", () -> {});
            ctx.sleep("pause", Duration.ofMillis(50));
            return ctx.step("b", String.class, () -> "done");
        });
        run.result(PATIENCE);
        List<StepInfo> steps = run.steps();

        assertThat(steps).extracting(step -> step.name().value()).containsExactly("a", "pause", "b");
        assertThat(steps)
                .extracting(StepInfo::kind)
                .containsExactly(StepInfo.Kind.STEP, StepInfo.Kind.SLEEP, StepInfo.Kind.STEP);
        assertThat(steps).allSatisfy(step -> assertThat(step.took()).isPresent());
        assertThat(steps.get(1).took().orElseThrow()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        assertThat(steps.get(2).output()).isEqualTo(Json.string("done"));
    }

    @Test
    final void aMapperOfTheUserWritesAndReadsAllValues() {
        reopen(OpenOptions.defaults()
                .mapper(JsonMapper.builder()
                        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                        .build()));
        Workflow<Order, Order> echo = Workflow.named("echo")
                .run(Order.class, Order.class, (ctx, order) -> ctx.step("a", Order.class, () -> order));
        perdure.register(echo).start();
        Run<Order> run = perdure.start(echo, ORDER);

        assertThat(run.result(PATIENCE)).isEqualTo(ORDER);
        assertThat(perdure.run(run.id()).result(PATIENCE).text()).contains("\"order_id\":\"o-1\"");
        assertThat(run.info().input().text()).contains("placed_at");
    }

    @Test
    final void doneStepsAreNotRunAgainAfterASleep() {
        AtomicInteger ran = new AtomicInteger();
        assertThat(resultOf(Integer.class, (ctx, _) -> {
                    int a = ctx.step("a", Integer.class, ran::incrementAndGet);
                    ctx.sleep("pause", Duration.ofMillis(300));
                    return a + ctx.step("b", Integer.class, ran::incrementAndGet);
                }))
                .isEqualTo(3);
        assertThat(ran).hasValue(2);
    }
}
