package io.perdure.testkit.contract;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import java.time.Instant;

/** Short words for the events that tests append. */
final class Events {
    static final EventName VERIFY = new EventName("verify");
    static final EventName REMIND = new EventName("remind");
    static final Failure BROKEN = new Failure("io.example.Broken", "it broke", null);

    private Events() {}

    static Event step(String name) {
        return new Event.StepCompleted(new StepName(name), Json.string(name), Instant.EPOCH);
    }

    static Event slept(String name) {
        return new Event.SleepStarted(new StepName(name));
    }

    static Event waits(EventName event) {
        return new Event.WaitStarted(new StepName(event.value()), event, null);
    }

    static Event took(EventName event, long signal) {
        return new Event.EventReceived(new StepName(event + "-" + signal), event, signal, Json.NULL);
    }

    static Event completed(String json) {
        return new Event.RunCompleted(Json.of(json));
    }

    static Event failed() {
        return new Event.RunFailed(BROKEN);
    }

    static Event cancelled() {
        return new Event.RunCancelled("operator", "no longer wanted");
    }

    static Event parked() {
        return new Event.RunParked("mismatch", "recorded a, asked for b");
    }

    static Event resumed() {
        return new Event.RunResumed("operator", "repaired", null);
    }

    static Event redriven() {
        return new Event.RunRedriven("operator", "the bank is back");
    }
}
