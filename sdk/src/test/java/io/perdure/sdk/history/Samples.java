package io.perdure.sdk.history;

import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** One or two events of every kind, with every optional part present in one of them. */
public final class Samples {
    private static final Instant STARTED = Instant.parse("2026-01-02T03:04:05.678901Z");
    private static final RunId OTHER = RunId.parse("0199d2a4-0000-7000-8000-000000000001");
    private static final Failure FAILURE =
            new Failure("java.io.IOException", "line 1\nline 2 \u0000 😀", new Failure("timeout", "after 30 s", null));

    private static final Failure TRACED = new Failure(
            "java.io.IOException", "no answer", new Failure("java.lang.IllegalStateException", "closed", null), """
            java.io.IOException: no answer
            \tat com.acme.Bank.pay(Bank.java:17)
            \t... 21 frames of Perdure
            Caused by: java.lang.IllegalStateException: closed
            \tat com.acme.Line.send(Line.java:4)
            \t... 22 more
            """);

    private Samples() {}

    public static Map<String, Event> all() {
        Map<String, Event> samples = new LinkedHashMap<>();
        samples.put(
                "run-created",
                new Event.RunCreated(
                        new WorkflowName("onboard_user"),
                        null,
                        RunKind.CODE,
                        Json.of("{\"email\": \"a@b.c\"}"),
                        Map.of(),
                        null,
                        null,
                        null,
                        Map.of()));
        samples.put(
                "run-created-full",
                new Event.RunCreated(
                        new WorkflowName("order"),
                        3,
                        RunKind.STEP_FLOW,
                        Json.NULL,
                        Map.of("total", Json.of("1.10"), "cart", Json.of("[ ]")),
                        new IdempotencyKey("user-42 ü"),
                        new WorkflowId("order/42"),
                        OTHER,
                        Map.of()));
        samples.put(
                "run-created-tagged",
                new Event.RunCreated(
                        new WorkflowName("order"),
                        1,
                        RunKind.CODE,
                        Json.NULL,
                        Map.of(),
                        null,
                        null,
                        null,
                        Map.of("team", "ü", "traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")));
        samples.put(
                "run-created-unknown-kind",
                new Event.RunCreated(
                        new WorkflowName("order"), null, null, Json.NULL, Map.of(), null, null, null, Map.of()));
        addSteps(samples);
        addWaits(samples);
        addEndings(samples);
        return samples;
    }

    private static void addSteps(Map<String, Event> samples) {
        samples.put("step-started", new Event.StepStarted(new StepName("charge"), 2));
        samples.put(
                "step-completed",
                new Event.StepCompleted(new StepName("create-user"), Json.of("{ \"id\" : 1e400 }"), STARTED));
        samples.put("step-completed-no-result", new Event.StepCompleted(new StepName("send.welcome_1"), null, STARTED));
        samples.put("step-completed-null", new Event.StepCompleted(new StepName("look-up"), Json.NULL, STARTED));
        samples.put(
                "step-completed-full",
                new Event.StepCompleted(
                        new StepName("start"),
                        3,
                        Json.of("\"\\u0000\""),
                        Map.of("b", Json.of("2"), "a", Json.of("1")),
                        new StepName("charge"),
                        STARTED));
        samples.put("step-failed", new Event.StepFailed(new StepName("charge"), 1, FAILURE, true));
        samples.put("step-failed-traced", new Event.StepFailed(new StepName("charge"), 1, TRACED, true, STARTED));
        samples.put("step-failed-timed", new Event.StepFailed(new StepName("charge"), 1, FAILURE, true, STARTED));
    }

    private static void addWaits(Map<String, Event> samples) {
        samples.put("sleep-started", new Event.SleepStarted(new StepName("welcome-delay")));
        samples.put("wait-started", new Event.WaitStarted(new StepName("verify"), new EventName("verify"), null));
        samples.put(
                "wait-started-match",
                new Event.WaitStarted(
                        new StepName("verify-1"), new EventName("user.verified"), Json.of("{\"userId\": 42}")));
        samples.put(
                "event-received",
                new Event.EventReceived(
                        new StepName("verify"), new EventName("verify"), 7, Json.of("{\"userId\": 42, \"at\": null}")));
        samples.put("wait-timed-out", new Event.WaitTimedOut(new StepName("verify")));
        samples.put("child-started", new Event.ChildStarted(new StepName("pay"), OTHER, new WorkflowName("payment")));
        samples.put(
                "child-ended",
                new Event.ChildEnded(new StepName("pay"), OTHER, RunStatus.COMPLETED, 9, Json.of("[1, 2]"), null));
        samples.put(
                "child-ended-failed",
                new Event.ChildEnded(new StepName("pay"), OTHER, RunStatus.FAILED, 10, null, FAILURE));
    }

    private static void addEndings(Map<String, Event> samples) {
        samples.put("run-parked", new Event.RunParked("diverged", "recorded \"charge\", asked for \"reserve\""));
        samples.put("run-resumed", new Event.RunResumed("operator", "mended", 4));
        samples.put("run-redriven", new Event.RunRedriven("operator", "bank is back"));
        samples.put("run-completed", new Event.RunCompleted(Json.of("\"user-42\"")));
        samples.put("run-completed-null", new Event.RunCompleted(Json.NULL));
        samples.put("run-failed", new Event.RunFailed(FAILURE));
        samples.put("run-failed-traced", new Event.RunFailed(TRACED));
        samples.put("run-cancelled", new Event.RunCancelled("operator", "deadline"));
    }
}
