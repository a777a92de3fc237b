package io.perdure.testkit.invariant;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.util.Map;

/** Events for traces that are written by hand. */
final class SampleEvents {
    private static final Instant STARTED_AT = Instant.parse("2030-01-01T00:00:00Z");

    private SampleEvents() {}

    static RunStatus statusAfter(Event event) {
        return RunStatus.RUNNING.after(event).orElse(RunStatus.RUNNING);
    }

    static Event created() {
        return new Event.RunCreated(Scene.FLOW, 1, RunKind.CODE, Json.number(1), Map.of(), null, null, null, Map.of());
    }

    static Event completed(String step) {
        return completed(step, 1);
    }

    static Event completed(String step, int attempt) {
        return new Event.StepCompleted(new StepName(step), attempt, Json.number(1), Map.of(), null, STARTED_AT);
    }

    static Event failed(String step, int attempt) {
        return new Event.StepFailed(new StepName(step), attempt, boom(), true);
    }

    static Failure boom() {
        return new Failure("boom", "it broke", null);
    }

    static Event done() {
        return new Event.RunCompleted(Json.number(1));
    }

    static Event cancelled() {
        return new Event.RunCancelled("somebody", "enough");
    }
}
