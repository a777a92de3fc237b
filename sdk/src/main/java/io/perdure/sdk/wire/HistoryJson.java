package io.perdure.sdk.wire;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Events on their way into a history, and out of it. */
public final class HistoryJson {
    private HistoryJson() {}

    public static Json write(Recorded recorded) {
        return JsonObject.builder()
                .put("seq", recorded.seq())
                .put("at", recorded.at())
                .put("until", recorded.until())
                .put("event", EventJson.write(recorded.event()))
                .build();
    }

    public static Recorded recorded(Json json) {
        JsonObject object = JsonObject.parse(json);
        return new Recorded(
                object.integer("seq"),
                Fields.instant(object, "at"),
                Fields.instantOrNull(object, "until"),
                EventJson.read(object.value("event")));
    }

    static Json write(Draft draft) {
        return JsonObject.builder()
                .put("until", draft.until() == null ? null : write(draft.until()))
                .put("event", EventJson.write(draft.event()))
                .build();
    }

    static Draft draft(Json json) {
        JsonObject object = JsonObject.parse(json);
        Event event = event(object.value("event"));
        requireDepth(event);
        return new Draft(event, object.has("until") ? due(object.value("until")) : null);
    }

    /** Nothing is recorded yet, so nothing can be damaged: whoever sent it is wrong, or newer than this. */
    private static Event event(Json json) {
        try {
            return EventJson.read(json);
        } catch (UnreadableHistoryException e) {
            throw e.code() == ErrorCode.UNKNOWN_EVENT
                    ? new RefusedException(ErrorCode.PROTOCOL_MISMATCH, e.what(), e)
                    : InvalidValueException.ofField("event", "cannot be read. " + e.what());
        }
    }

    /** What came in an envelope may nest deeper than a value may. */
    private static void requireDepth(Event event) {
        switch (event) {
            case Event.RunCreated e -> {
                requireDepth(e.input());
                e.writes().values().forEach(Json::requireDepth);
            }
            case Event.StepCompleted e -> {
                requireDepth(e.output());
                e.writes().values().forEach(Json::requireDepth);
            }
            case Event.WaitStarted e -> requireDepth(e.match());
            case Event.EventReceived e -> requireDepth(e.payload());
            case Event.ChildEnded e -> requireDepth(e.output());
            case Event.RunCompleted e -> requireDepth(e.result());
            // No values of users.
            case Event.StepStarted _,
                    Event.StepFailed _,
                    Event.SleepStarted _,
                    Event.WaitTimedOut _,
                    Event.ChildStarted _,
                    Event.RunParked _,
                    Event.RunResumed _,
                    Event.RunRedriven _,
                    Event.RunFailed _,
                    Event.RunCancelled _ -> {}
        }
    }

    private static void requireDepth(@Nullable Json value) {
        if (value != null) {
            value.requireDepth();
        }
    }

    /** {@code {"in": "PT5S"}}, {@code {"at": "2026-01-31T12:00:00Z"}}, or {@code {}} for never. */
    static Json write(Due due) {
        JsonObject.Builder json = JsonObject.builder();
        return switch (due) {
            case Due.In(Duration delay) -> json.put("in", delay.toString()).build();
            case Due.At(Instant time) -> json.put("at", time).build();
            case Due.Never() -> json.build();
        };
    }

    static Due due(Json json) {
        JsonObject object = JsonObject.parse(json);
        if (object.has("in")) {
            return Due.in(Fields.duration(object, "in"));
        }
        return object.has("at") ? Due.at(Fields.instant(object, "at")) : Due.never();
    }
}
