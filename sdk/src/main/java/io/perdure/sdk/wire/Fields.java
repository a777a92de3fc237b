package io.perdure.sdk.wire;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads members that JSON has no form of its own for: {@code PD-609} names the one that is not as it should be. */
final class Fields {
    private Fields() {}

    static Instant instant(JsonObject json, String name) {
        try {
            return json.time(name);
        } catch (DateTimeException e) {
            throw InvalidValueException.ofField(name, "is no time such as 2026-01-31T12:00:00Z.");
        }
    }

    static @Nullable Instant instantOrNull(JsonObject json, String name) {
        return json.has(name) ? instant(json, name) : null;
    }

    static Duration duration(JsonObject json, String name) {
        try {
            return Duration.parse(json.string(name));
        } catch (DateTimeException e) {
            throw InvalidValueException.ofField(name, "is no duration such as PT5S.");
        }
    }

    static @Nullable Duration durationOrNull(JsonObject json, String name) {
        return json.has(name) ? duration(json, name) : null;
    }

    static UUID uuid(JsonObject json, String name) {
        String text = json.string(name);
        try {
            UUID uuid = UUID.fromString(text);
            if (uuid.toString().equals(text)) {
                return uuid;
            }
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException(ErrorCode.INVALID_ID, "Member \"%s\" is no UUID.".formatted(name), e);
        }
        throw new InvalidValueException(ErrorCode.INVALID_ID, "Member \"%s\" is no UUID.".formatted(name));
    }

    static int count(JsonObject json, String name) {
        long value = json.integer(name);
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw InvalidValueException.ofField(name, "is " + value + ", which is no number of anything.");
        }
        return (int) value;
    }

    static boolean flag(JsonObject json, String name) {
        return json.has(name) && json.bool(name);
    }

    static <T> List<T> list(JsonObject json, String name, Function<Json, T> each) {
        return JsonArray.parse(json.value(name)).stream().map(each).toList();
    }

    static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }
}
