package io.perdure.sdk.history;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The written form of events: a JSON object with {@code type} and {@code v} first. The names and the versions here are what
 * databases hold for years, so they are spelled out by hand and held by golden files; renaming a Java field changes
 * nothing. A reader ignores members it does not know and refuses a type or a {@code v} it does not know.
 */
public final class EventJson {
    /** The version that this release writes; it reads this one and every one before it. */
    static final int VERSION = 1;

    private EventJson() {}

    public static Json write(Event event) {
        return switch (event) {
            case Event.RunCreated e -> writeCreated(e);
            case Event.StepStarted e -> writeStarted(e);
            case Event.StepCompleted e -> writeCompleted(e);
            case Event.StepFailed e ->
                step("StepFailed", e.step(), e.attempt())
                        .put("reason", e.reason().json())
                        .put("retryable", e.retryable())
                        .put("startedAt", e.startedAt())
                        .build();
            case Event.SleepStarted e -> named("SleepStarted", e.name()).build();
            case Event.WaitStarted e ->
                named("WaitStarted", e.name())
                        .put("event", text(e.event()))
                        .put("match", e.match())
                        .build();
            case Event.EventReceived e ->
                named("EventReceived", e.name())
                        .put("event", text(e.event()))
                        .put("signal", e.signal())
                        .put("payload", e.payload())
                        .build();
            case Event.WaitTimedOut e -> named("WaitTimedOut", e.name()).build();
            case Event.ChildStarted e ->
                named("ChildStarted", e.name())
                        .put("child", text(e.child()))
                        .put("workflow", text(e.workflow()))
                        .build();
            case Event.ChildEnded e ->
                named("ChildEnded", e.name())
                        .put("child", text(e.child()))
                        .put("status", e.status().word())
                        .put("signal", e.signal())
                        .put("output", e.output())
                        .put("error", e.error() == null ? null : e.error().json())
                        .build();
            case Event.RunParked e ->
                typed("RunParked")
                        .put("reason", e.reason())
                        .put("detail", e.detail())
                        .build();
            case Event.RunResumed e ->
                by("RunResumed", e.by(), e.reason())
                        .put("version", number(e.version()))
                        .build();
            case Event.RunRedriven e -> by("RunRedriven", e.by(), e.reason()).build();
            case Event.RunCompleted e ->
                typed("RunCompleted").put("result", e.result()).build();
            case Event.RunFailed e ->
                typed("RunFailed").put("reason", e.reason().json()).build();
            case Event.RunCancelled e -> by("RunCancelled", e.by(), e.reason()).build();
        };
    }

    private static JsonObject.Builder typed(String type) {
        return JsonObject.builder().put("type", type).put("v", VERSION);
    }

    private static JsonObject.Builder named(String type, StepName name) {
        return typed(type).put("name", text(name));
    }

    private static JsonObject.Builder step(String type, StepName step, int attempt) {
        return typed(type).put("step", text(step)).put("attempt", attempt);
    }

    private static JsonObject.Builder by(String type, String by, String reason) {
        return typed(type).put("by", by).put("reason", reason);
    }

    /** Reads an event; {@code PD-101} if a newer release wrote it, {@code PD-102} if it is damaged. */
    public static Event read(Json json) {
        try {
            JsonObject object = JsonObject.parse(json);
            String type = object.string("type");
            if (object.integer("v") > VERSION) {
                throw unknown(type, object.integer("v"));
            }
            return read(type, object);
        } catch (InvalidValueException | DateTimeException | IllegalArgumentException | ArithmeticException e) {
            throw new UnreadableHistoryException(
                    ErrorCode.DAMAGED_EVENT, "A recorded event cannot be read: " + e.getMessage(), e);
        }
    }

    private static Event read(String type, JsonObject json) {
        return switch (type) {
            case "RunCreated" -> readCreated(json);
            case "StepStarted" ->
                new Event.StepStarted(
                        step(json, "step"),
                        attempt(json),
                        json.get("retryIn").isPresent() ? Duration.parse(json.string("retryIn")) : null);
            case "StepCompleted" ->
                new Event.StepCompleted(
                        step(json, "step"),
                        attempt(json),
                        json.get("output").orElse(null),
                        readEntries(json),
                        json.get("next").isPresent() ? step(json, "next") : null,
                        json.time("startedAt"));
            case "StepFailed" ->
                new Event.StepFailed(
                        step(json, "step"),
                        attempt(json),
                        Failure.read(json.value("reason")),
                        json.bool("retryable"),
                        json.get("startedAt").isPresent() ? json.time("startedAt") : null);
            case "SleepStarted" -> new Event.SleepStarted(step(json, "name"));
            case "WaitStarted" ->
                new Event.WaitStarted(
                        step(json, "name"), event(json), json.get("match").orElse(null));
            case "EventReceived" ->
                new Event.EventReceived(step(json, "name"), event(json), json.integer("signal"), json.value("payload"));
            case "WaitTimedOut" -> new Event.WaitTimedOut(step(json, "name"));
            case "ChildStarted" ->
                new Event.ChildStarted(
                        step(json, "name"),
                        RunId.parse(json.string("child")),
                        new WorkflowName(json.string("workflow")));
            case "ChildEnded" ->
                new Event.ChildEnded(
                        step(json, "name"),
                        RunId.parse(json.string("child")),
                        upper(RunStatus.class, json.string("status")),
                        json.integer("signal"),
                        json.get("output").orElse(null),
                        json.get("error").map(Failure::read).orElse(null));
            case "RunParked" -> new Event.RunParked(json.string("reason"), json.string("detail"));
            case "RunResumed" ->
                new Event.RunResumed(json.string("by"), json.string("reason"), optionalInt(json, "version"));
            case "RunRedriven" -> new Event.RunRedriven(json.string("by"), json.string("reason"));
            case "RunCompleted" -> new Event.RunCompleted(json.value("result"));
            case "RunFailed" -> new Event.RunFailed(Failure.read(json.value("reason")));
            case "RunCancelled" -> new Event.RunCancelled(json.string("by"), json.string("reason"));
            default -> throw unknown(type, json.integer("v"));
        };
    }

    private static Json writeCreated(Event.RunCreated e) {
        return typed("RunCreated")
                .put("workflow", text(e.workflow()))
                .put("version", number(e.version()))
                .put("kind", e.kind() == null ? null : lower(e.kind()))
                .put("input", e.input())
                .put("writes", writeEntries(e.writes()))
                .put("idempotencyKey", text(e.idempotencyKey()))
                .put("workflowId", text(e.workflowId()))
                .put("parent", text(e.parent()))
                .put("tags", writeTags(e.tags()))
                .build();
    }

    private static Json writeStarted(Event.StepStarted e) {
        return step("StepStarted", e.step(), e.attempt())
                .put("retryIn", text(e.retryIn()))
                .build();
    }

    private static Json writeCompleted(Event.StepCompleted e) {
        return step("StepCompleted", e.step(), e.attempt())
                .put("output", e.output())
                .put("writes", writeEntries(e.writes()))
                .put("next", text(e.next()))
                .put("startedAt", e.startedAt())
                .build();
    }

    private static Event.RunCreated readCreated(JsonObject json) {
        return new Event.RunCreated(
                new WorkflowName(json.string("workflow")),
                optionalInt(json, "version"),
                json.get("kind").isPresent() ? upper(RunKind.class, json.string("kind")) : null,
                json.value("input"),
                readEntries(json),
                json.get("idempotencyKey").isPresent() ? new IdempotencyKey(json.string("idempotencyKey")) : null,
                json.get("workflowId").isPresent() ? new WorkflowId(json.string("workflowId")) : null,
                json.get("parent").isPresent() ? RunId.parse(json.string("parent")) : null,
                readTags(json));
    }

    private static @Nullable Json writeTags(Map<String, String> tags) {
        if (tags.isEmpty()) {
            return null;
        }
        JsonObject.Builder json = JsonObject.builder();
        tags.forEach(json::put);
        return json.build();
    }

    private static Map<String, String> readTags(JsonObject json) {
        Map<String, String> tags = new HashMap<>();
        json.get("tags")
                .map(JsonObject::parse)
                .ifPresent(object -> object.names().forEach(name -> tags.put(name, object.string(name))));
        return tags;
    }

    /** In the order of their names, which the event has brought them into, so that equal events have equal texts. */
    private static @Nullable Json writeEntries(Map<String, Json> map) {
        if (map.isEmpty()) {
            return null;
        }
        JsonObject.Builder json = JsonObject.builder();
        map.forEach(json::put);
        return json.build();
    }

    private static Map<String, Json> readEntries(JsonObject json) {
        Map<String, Json> map = new HashMap<>();
        json.get("writes")
                .map(JsonObject::parse)
                .ifPresent(object -> object.names().forEach(name -> map.put(name, object.value(name))));
        return map;
    }

    private static UnreadableHistoryException unknown(String type, long version) {
        return new UnreadableHistoryException(
                ErrorCode.UNKNOWN_EVENT,
                "Event type \"" + type + "\" version " + version
                        + " is not known to this release, which reads up to version " + VERSION + ".");
    }

    private static StepName step(JsonObject json, String name) {
        return new StepName(json.string(name));
    }

    private static EventName event(JsonObject json) {
        return new EventName(json.string("event"));
    }

    private static int attempt(JsonObject json) {
        return Math.toIntExact(json.integer("attempt"));
    }

    private static @Nullable Integer optionalInt(JsonObject json, String name) {
        return json.get(name).isPresent() ? Math.toIntExact(json.integer(name)) : null;
    }

    private static @Nullable Json number(@Nullable Integer value) {
        return value == null ? null : Json.number(value);
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static <E extends Enum<E>> E upper(Class<E> type, String name) {
        return Enum.valueOf(type, name.toUpperCase(Locale.ROOT));
    }
}
