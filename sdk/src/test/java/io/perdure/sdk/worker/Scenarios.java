package io.perdure.sdk.worker;

import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.workflow.Match;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.WorkflowCode;
import io.perdure.sdk.workflow.WorkflowContext;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Sample workflows whose histories are kept for ever, and how they are recorded. */
final class Scenarios {
    /**
     * A workflow.
     *
     * @param before the code that the history is recorded with
     * @param after the code that it is replayed with: the same, unless a deploy changed it
     * @param goesOn whether the history goes on with the code of afterwards once that of before has failed, or died
     */
    record Scenario(WorkflowDefinition before, WorkflowDefinition after, boolean goesOn) {
        Scenario(WorkflowCode<Json, Object> code) {
            this(code, code);
        }

        Scenario(WorkflowCode<Json, Object> before, WorkflowCode<Json, Object> after) {
            this(Histories.workflow(before), Histories.workflow(after), false);
        }

        Scenario(StepFlow flow) {
            this(flow, flow, false);
        }
    }

    private static final Json PAYMENT = Json.of("{\"order\":7,\"by\":\"card\"}");

    private Scenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new TreeMap<>();
        all.put("onboarding", new Scenario(Scenarios::onboard));
        all.put(
                "retried",
                new Scenario((ctx, _) -> ctx.step(
                        "flaky",
                        Integer.class,
                        () -> {
                            if (ctx.attempt().number() < 3) {
                                throw new IOException("attempt " + ctx.attempt().number());
                            }
                            return ctx.attempt().number();
                        },
                        Retry.fixed(3, Duration.ofMinutes(1)))));
        all.put(
                "exhausted",
                new Scenario((ctx, _) -> ctx.step(
                        "broken",
                        Integer.class,
                        () -> {
                            throw new IOException(
                                    "attempt " + ctx.attempt().number(), new IllegalStateException("root"));
                        },
                        Retry.fixed(2, Duration.ofMinutes(1)))));
        all.put("awaited", new Scenario(Scenarios::await));
        all.put(
                "rematched",
                new Scenario(
                        (ctx, _) -> ctx.waitForEvent(
                                        "approval", Json.class, Match.where("order", 7), Duration.ofDays(1))
                                .isPresent(),
                        (ctx, _) -> ctx.waitForEvent(
                                        "approval", Json.class, Match.where("order", 8), Duration.ofDays(1))
                                .isPresent()));
        all.put("thrown", new Scenario((ctx, _) -> {
            ctx.step("a", () -> {});
            throw new IllegalStateException("between steps");
        }));
        all.put("misused", new Scenario((ctx, _) -> {
            ctx.step("a", () -> {});
            ctx.step("a", () -> {});
            return "over";
        }));
        all.put(
                "changed",
                new Scenario(
                        (ctx, _) -> ctx.step("reserve", String.class, () -> "r-1")
                                + ctx.step("charge", String.class, () -> "c-1"),
                        (ctx, _) -> ctx.step("reserve", String.class, () -> "r-1")
                                + ctx.step("invoice", String.class, () -> "i-1")));
        all.putAll(FlowScenarios.all());
        return all;
    }

    private static Object await(WorkflowContext ctx, Json input) {
        Match paid = Match.where("order", 7).event("paid");
        String by = ctx.waitForEvent("payment", Payment.class, paid, Duration.ofDays(1))
                .map(Payment::by)
                .orElse("nobody");
        boolean reviewed =
                ctx.waitForEvent("review", Json.class, Duration.ofHours(1)).isPresent();
        return List.of(by, reviewed, ctx.now().toString());
    }

    /** What a payment says. */
    record Payment(int order, String by) {}

    private static Object onboard(WorkflowContext ctx, Json input) {
        String user = ctx.step("create-user", String.class, () -> "user of " + input);
        ctx.sleep("welcome-delay", Duration.ofHours(1));
        ctx.step("send-welcome", () -> {});
        return List.of(user, ctx.uuid().toString(), ctx.now().toString());
    }

    /** Runs the code from the start to the end, and answers all that happened. */
    static List<Recorded> record(Scenario scenario) {
        WorkflowDefinition code = scenario.before();
        Assignment at = Histories.of(code.kind(), "{\"email\":\"a@b.c\"}").assignment();
        while (true) {
            AtOnce performer = new AtOnce(at);
            Command command = Replayer.play(code, Codec.standard(), at, performer, performer);
            boolean goesOn = scenario.goesOn() && !code.equals(scenario.after());
            Mailbox mailbox = Mailbox.EMPTY;
            if (goesOn && command instanceof Command.Drop) {
                code = scenario.after();
            } else {
                Recorded last = performer.record(last(command, performer));
                mailbox = mailbox(command, last);
                if (goesOn && command instanceof Command.Fail) {
                    performer.record(new Draft(new Event.RunRedriven("operator", "mended")));
                    code = scenario.after();
                } else if (isOver(command)) {
                    return performer.events();
                }
            }
            Instant now = performer.events().getLast().at();
            at = new Assignment(at.held(), at.workflow(), 1, 0, now, null, performer.events(), mailbox);
        }
    }

    private static boolean isOver(Command command) {
        return !(command instanceof Command.Sleep
                || command instanceof Command.RetryLater
                || command instanceof Command.AwaitEvent);
    }

    /** Whoever waits for a payment gets one; others wait in vain. */
    private static Mailbox mailbox(Command command, Recorded last) {
        return command instanceof Command.AwaitEvent(Wait what, var _, var _)
                        && what.event().value().equals("paid")
                ? new Mailbox(1, List.of(new Mailbox.Letter(1, what.event(), PAYMENT, last.at())))
                : Mailbox.EMPTY;
    }

    private static Draft last(Command command, AtOnce performer) {
        return switch (command) {
            case Command.Sleep(var name, var until) -> new Draft(new Event.SleepStarted(name), until);
            case Command.RetryLater(var failed, var delay) -> new Draft(failed, Due.in(delay));
            case Command.Complete(var result) -> new Draft(new Event.RunCompleted(result));
            case Command.Finish(var step) -> {
                performer.record(new Draft(step));
                yield new Draft(new Event.RunCompleted(Objects.requireNonNull(step.output(), "a flow has a result")));
            }
            case Command.Fail(var step, var reason) -> {
                if (step != null) {
                    performer.record(new Draft(step));
                }
                // Its stack trace has the lines of these tests.
                yield new Draft(new Event.RunFailed(reason.withoutStackTrace()));
            }
            case Command.Park(var reason, var _, var _) ->
                // The sentence may be worded better one day.
                new Draft(new Event.RunParked(reason, ""));
            case Command.AwaitEvent await -> new Draft(await.what().started(), await.until());
            case Command.TakeEvent _,
                    Command.GiveUp _,
                    Command.LookAgain _,
                    Command.RunStep _,
                    Command.Rest _,
                    Command.Yield _,
                    Command.Cancel _,
                    Command.Drop _ -> throw new AssertionError(command);
        };
    }
}
