package io.perdure.sdk.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
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

    /** Of each member: where its name begins and ends, quotes included, and where its value does. */
    private static final int PLACES = 4;

    private static final int NAME_END = 1;
    private static final int VALUE = 2;
    private static final int VALUE_END = 3;
    private static final int USUAL = 8 * PLACES;
    private static final int ABSENT = -1;

    /** With more members than these a name is looked up, not looked for. */
    private static final int FEW = 16;

    private final String text;
    private final int[] places;
    private final int length;
    private final @Nullable Map<String, Integer> index;

    private JsonObject(String text, int[] places, int length) {
        this.text = text;
        this.places = places;
        this.length = length;
        this.index = isLookedFor() ? null : index();
    }

    /** Takes an object apart; any other value is {@code PD-004}. */
    public static JsonObject parse(Json json) {
        JsonScan scan = new JsonScan(json.text());
        if (!scan.steps('{')) {
            throw JsonText.notJson("An object is expected.", null);
        }
        int[] places = new int[USUAL];
        int length = 0;
        if (!scan.steps('}')) {
            do {
                if (length == places.length) {
                    places = Arrays.copyOf(places, 2 * length);
                }
                member(scan, places, length);
                length += PLACES;
            } while (scan.steps(','));
            scan.require('}');
        }
        return new JsonObject(json.text(), places, length);
    }

    private static void member(JsonScan scan, int[] places, int member) {
        places[member] = scan.space().at();
        scan.string();
        places[member + NAME_END] = scan.at();
        scan.require(':');
        places[member + VALUE] = scan.space().at();
        scan.value();
        places[member + VALUE_END] = scan.at();
    }

    /** Whether names are few, and written as they are. */
    private boolean isLookedFor() {
        if (length > FEW * PLACES) {
            return false;
        }
        for (int member = 0; member < length; member += PLACES) {
            int escape = text.indexOf('\\', places[member], places[member + NAME_END]);
            if (escape >= 0) {
                return false;
            }
        }
        return true;
    }

    private Map<String, Integer> index() {
        Map<String, Integer> byName = HashMap.newHashMap(length / PLACES);
        for (int member = 0; member < length; member += PLACES) {
            byName.put(name(member), member);
        }
        return byName;
    }

    private String name(int member) {
        return JsonScan.content(text, places[member], places[member + NAME_END]);
    }

    private int find(String name) {
        if (index != null) {
            return index.getOrDefault(name, ABSENT);
        }
        // From behind: of two with one name the last counts, as it does in the index.
        for (int member = length - PLACES; member >= 0; member -= PLACES) {
            int begin = places[member] + 1;
            if (places[member + NAME_END] - 1 - begin == name.length() && text.startsWith(name, begin)) {
                return member;
            }
        }
        return ABSENT;
    }

    private Json valueOf(int member) {
        return Json.ofStored(text.substring(places[member + VALUE], places[member + VALUE_END]));
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The names of the members, in their order. */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        for (int member = 0; member < length; member += PLACES) {
            names.add(name(member));
        }
        return names;
    }

    /** The member of this name, a JSON {@code null} included; empty where it is absent. */
    public Optional<Json> get(String name) {
        int member = find(name);
        return member == ABSENT ? Optional.empty() : Optional.of(valueOf(member));
    }

    /** Whether there is a member of this name that is no JSON {@code null}. */
    public boolean has(String name) {
        int member = find(name);
        return member != ABSENT && !isNull(member);
    }

    private boolean isNull(int member) {
        String none = Json.NULL.text();
        int begin = places[member + VALUE];
        return places[member + VALUE_END] - begin == none.length() && text.startsWith(none, begin);
    }

    /** The member of this name, a JSON {@code null} included; throws {@code PD-004} where it is absent. */
    public Json value(String name) {
        return valueOf(require(name));
    }

    private int require(String name) {
        int member = find(name);
        if (member == ABSENT) {
            throw JsonText.notJson("Member \"%s\" is missing.".formatted(name), null);
        }
        return member;
    }

    /** The content of a string member; throws {@code PD-004} where it is absent or something else. */
    public String string(String name) {
        int member = require(name);
        if (text.charAt(places[member + VALUE]) != '"') {
            throw JsonText.notJson("Member \"%s\" must be a string.".formatted(name), null);
        }
        return JsonScan.content(text, places[member + VALUE], places[member + VALUE_END]);
    }

    /** An integer member; throws {@code PD-004} where it is absent or something else. */
    public long integer(String name) {
        int member = require(name);
        long number = digits(places[member + VALUE], places[member + VALUE_END]);
        if (number >= 0) {
            return number;
        }
        String digits = scalar(name, JsonToken.VALUE_NUMBER_INT, "an integer");
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw JsonText.notJson("Member \"%s\" is out of range.".formatted(name), e);
        }
    }

    /** The number whose few digits these are; negative where they are many, or something else. */
    private long digits(int from, int to) {
        if (to - from >= SHORT) {
            return ABSENT;
        }
        long number = 0;
        for (int at = from; at < to; at++) {
            char c = text.charAt(at);
            if (c < '0' || c > '9') {
                return ABSENT;
            }
            number = 10 * number + c - '0';
        }
        return number;
    }

    /** A time as {@link Builder#put(String, Instant)} writes it; throws {@link DateTimeException} where the string is none. */
    public Instant time(String name) {
        return TimeText.read(string(name));
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
        private static final int USUAL_LENGTH = 192;

        private final StringBuilder text = new StringBuilder(USUAL_LENGTH).append('{');

        private Builder() {}

        public Builder put(String name, @Nullable Json value) {
            if (value != null) {
                begin(name).append(value.text());
            }
            return this;
        }

        private StringBuilder begin(String name) {
            if (text.length() > 1) {
                text.append(',');
            }
            return JsonText.quote(name, text).append(':');
        }

        public Builder put(String name, @Nullable String content) {
            if (content != null) {
                JsonText.quote(content, begin(name));
            }
            return this;
        }

        public Builder put(String name, long number) {
            begin(name).append(number);
            return this;
        }

        public Builder put(String name, boolean value) {
            begin(name).append(value);
            return this;
        }

        /** A time, as ISO 8601 writes it in UTC. */
        public Builder put(String name, @Nullable Instant time) {
            if (time != null) {
                TimeText.write(time, begin(name).append('"')).append('"');
            }
            return this;
        }

        public Json build() {
            String whole = text.append('}').toString();
            text.setLength(text.length() - 1);
            return Json.ofStored(whole);
        }
    }
}
