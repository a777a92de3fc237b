package io.perdure.core.store.rows;

import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The small maps and sets of a row as text. Empty ones, the usual case, are no text at all. */
public final class Texts {
    private Texts() {}

    public static @Nullable String of(Map<String, String> map) {
        if (map.isEmpty()) {
            return null;
        }
        JsonObject.Builder object = JsonObject.builder();
        map.forEach(object::put);
        return object.build().text();
    }

    public static Map<String, String> map(@Nullable String text) {
        if (text == null) {
            return Map.of();
        }
        JsonObject object = JsonObject.parse(Json.ofStored(text));
        Map<String, String> map = new TreeMap<>();
        object.names().forEach(name -> map.put(name, object.string(name)));
        return map;
    }

    public static @Nullable String ofValues(Map<String, Json> map) {
        if (map.isEmpty()) {
            return null;
        }
        JsonObject.Builder object = JsonObject.builder();
        map.forEach(object::put);
        return object.build().text();
    }

    public static Map<String, Json> values(@Nullable String text) {
        if (text == null) {
            return Map.of();
        }
        JsonObject object = JsonObject.parse(Json.ofStored(text));
        Map<String, Json> map = new TreeMap<>();
        object.names().forEach(name -> map.put(name, object.value(name)));
        return map;
    }

    /** Ids as a JSON array of hexadecimal digits, which a statement takes apart again. */
    public static String ofIds(Set<MessageId> ids) {
        return ids.stream()
                .map(id -> "\"" + id.toString().replace("-", "") + "\"")
                .collect(Collectors.joining(",", "[", "]"));
    }

    /** Names of events hold no line breaks. */
    public static @Nullable String of(Set<EventName> events) {
        return events.isEmpty() ? null : events.stream().map(EventName::value).collect(Collectors.joining("\n"));
    }

    public static Set<EventName> events(@Nullable String text) {
        return text == null ? Set.of() : text.lines().map(EventName::new).collect(Collectors.toUnmodifiableSet());
    }
}
