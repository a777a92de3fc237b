package io.perdure.sdk.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.WorkflowCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Code that no longer fits its history is parked before it does anything. */
class ReplayMismatchTest {
    private static WorkflowCode<Json, Object> steps(String... names) {
        return (ctx, _) -> {
            for (String name : names) {
                ctx.step(name, () -> {});
            }
            return "over";
        };
    }

    private static void assertParked(Command command, String code, String... words) {
        assertThat(command).isInstanceOfSatisfying(Command.Park.class, park -> {
            assertThat(park.reason()).isEqualTo(code);
            assertThat(park.detail()).contains(words);
        });
    }

    @Test
    void anotherNameInAStepsPlaceIsTold() {
        Histories history = Histories.empty().completed("reserve", null).completed("charge", null);

        assertParked(
                history.next(steps("reserve", "ship")),
                "PD-104",
                "event 2",
                "recorded step \"charge\"",
                "asked for step \"ship\"",
                Histories.RUN.toString());
    }

    @Test
    void anotherOrderIsTold() {
        Histories history = Histories.empty().completed("a", null).completed("b", null);

        assertParked(history.next(steps("b", "a")), "PD-104", "event 1", "recorded step \"a\"", "step \"b\"");
    }

    @Test
    void aSleepInAStepsPlaceIsTold() {
        assertParked(
                Histories.empty().completed("a", null).next((ctx, _) -> {
                    ctx.sleep("a", Duration.ofHours(1));
                    return "over";
                }),
                "PD-104",
                "event 1",
                "recorded step \"a\"",
                "asked for sleep \"a\"");
    }

    @Test
    void aStepInASleepsPlaceIsTold() {
        assertParked(
                Histories.empty().slept("a", Duration.ofHours(1)).next(steps("a")),
                "PD-104",
                "event 1",
                "recorded sleep \"a\"",
                "asked for step \"a\"");
    }

    @Test
    void aStepThatOnlyFailedSoFarHasItsPlaceToo() {
        assertParked(Histories.empty().failed("a", 1).next(steps("b")), "PD-104", "event 1", "recorded step \"a\"");
    }

    @Test
    void codeThatEndsEarlyIsTold() {
        Histories history = Histories.empty().completed("a", null).failed("b", 1);

        assertParked(history.next(steps("a")), "PD-104", "event 2", "recorded step \"b\"", "the code ended");
    }

    @Test
    void whatTheCodeDoesBetweenItsCallsMayChange() {
        Histories history = Histories.empty().completed("a", null);

        assertThat(history.next((ctx, _) -> {
                    ctx.random();
                    ctx.step("a", () -> {});
                    ctx.now();
                    return "new";
                }))
                .isEqualTo(new Command.Complete(Json.of("\"new\"")));
    }

    @Test
    void codeMayGoOnAfterTheEndOfItsHistory() {
        assertThat(Histories.empty().completed("a", null).next(steps("a", "b", "c")))
                .isInstanceOfSatisfying(
                        Command.RunStep.class,
                        step -> assertThat(step.step().value()).isEqualTo("b"));
    }

    @Test
    void catchingTheMismatchDoesNotHideIt() {
        assertParked(
                Histories.empty().completed("a", null).next((ctx, _) -> {
                    try {
                        ctx.step("b", () -> {});
                    } catch (RuntimeException e) {
                        return String.valueOf(e.getMessage());
                    }
                    return "over";
                }),
                "PD-104",
                "event 1");
    }

    @Test
    void anExceptionOfCodeThatEndsEarlyFailsTheRun() {
        assertThat(Histories.empty().completed("a", null).next((_, _) -> {
                    throw new IllegalStateException("new check");
                }))
                .isInstanceOf(Command.Fail.class);
    }
}
