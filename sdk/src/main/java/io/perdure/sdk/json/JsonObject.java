package io.perdure.sdk.json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A JSON object taken apart into its members, whose values stay the text they were. Reading slices the text by position
 * and never parses the values, so that an event's output is not rewritten by passing through its event.
 */
public final class JsonObject {
    /** Digits that surely fit into a long. */
    private static final int SHORT = 18;

    private final Map<String, Json> members;

    private JsonObject(Map<String, Json> members) {
        this.members = members;
    }

    /** Takes an object apart; any other value is {@code PD-004}. */
    public static JsonObject parse(Json json) {
        String text = json.text();
        try (JsonParser parser = JsonText.parser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw JsonText.notJson("An object is expected.", null);
            }
            Map<String, Json> members = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                members.put(name, JsonText.slice(parser, text));
            }
            return new JsonObject(members);
        } catch (JacksonException e) {
            throw JsonText.notJson(e.getOriginalMessage() + ".", e);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    public Set<String> names() {
        return members.keySet();
    }

    /** The member of this name, a JSON {@code null} included; empty where it is absent. */
    public Optional<Json> get(String name) {
        return Optional.ofNullable(members.get(name));
    }

    /** The member of this name, a JSON {@code null} included; throws {@code PD-004} where it is absent. */
    public Json value(String name) {
        Json value = members.get(name);
        if (value == null) {
            throw JsonText.notJson("Member \"%s\" is missing.".formatted(name), null);
        }
        return value;
    }

    /** The content of a string member; throws {@code PD-004} where it is absent or something else. */
    public String string(String name) {
        String text = value(name).text();
        if (text.charAt(0) == '"' && text.indexOf('\\') < 0) {
            // Nothing is escaped: what is between the quotes is the content.
            return text.substring(1, text.length() - 1);
        }
        return scalar(name, JsonToken.VALUE_STRING, "a string");
    }

    /** An integer member; throws {@code PD-004} where it is absent or something else. */
    public long integer(String name) {
        String text = value(name).text();
        if (text.length() < SHORT && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Long.parseLong(text);
        }
        String digits = scalar(name, JsonToken.VALUE_NUMBER_INT, "an integer");
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw JsonText.notJson("Member \"%s\" is out of range.".formatted(name), e);
        }
    }

    /** A boolean member; throws {@code PD-004} where it is absent or something else. */
    public boolean bool(String name) {
        return switch (value(name).text()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw JsonText.notJson("Member \"%s\" must be true or false.".formatted(name), null);
        };
    }

    private String scalar(String name, JsonToken expected, String kind) {
        try (JsonParser parser = JsonText.parser(value(name).text())) {
            if (parser.nextToken() != expected) {
                throw JsonText.notJson("Member \"%s\" must be %s.".formatted(name, kind), null);
            }
            return parser.getString();
        } catch (JacksonException e) {
            throw JsonText.notJson(e.getOriginalMessage() + ".", e);
        }
    }

    /** Writes an object member by member, in the order they are put; a {@code null} is left out. */
    public static final class Builder {
        private final StringBuilder text = new StringBuilder("{");

        private Builder() {}

        public Builder put(String name, @Nullable Json value) {
            if (value != null) {
                text.append(text.length() == 1 ? "" : ",")
                        .append(JsonText.quoted(name))
                        .append(':')
                        .append(value.text());
            }
            return this;
        }

        public Builder put(String name, @Nullable String content) {
            return put(name, content == null ? null : Json.string(content));
        }

        public Builder put(String name, long number) {
            return put(name, Json.number(number));
        }

        public Builder put(String name, boolean value) {
            return put(name, Json.bool(value));
        }

        public Json build() {
            return Json.ofStored(text + "}");
        }
    }
}
