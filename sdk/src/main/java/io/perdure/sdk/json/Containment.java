package io.perdure.sdk.json;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.ValueLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Whether values contain one part, by the rules of Postgres' jsonb {@code @>}. The part is parsed once; of each value only the
 * members that the part names are looked at, the others are skipped.
 *
 * <p>Scalars are kept as text in lowest terms and looked up by hash, so most of this is linear. Objects and arrays inside an array are
 * held against each other until one fits, as Postgres does it: at worst each of the part's against each of the value's, but no
 * two of them twice, however deep. So the work is bounded by the value's size times how many the part has, and of these a part may
 * have {@link ValueLimits#matchNested}: then the worst value of 1 MiB that was tried took 2.5 s.
 *
 * <p>Safe for many threads.
 */
final class Containment implements Predicate<Json> {
    private static final int MOST_NESTED = Limits.defaults().values().matchNested();

    private final Value part;

    Containment(Json part) {
        this.part = parse(part, null);
        int nested = nested(this.part);
        if (nested > MOST_NESTED) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS,
                    "The value to look for has " + nested + " objects and arrays inside arrays; at most " + MOST_NESTED
                            + " can be looked for.");
        }
    }

    private static int nested(Value value) {
        return switch (value) {
            case Scalar _ -> 0;
            case Array array ->
                array.nested.size()
                        + array.nested.stream().mapToInt(Containment::nested).sum();
            case Members members ->
                members.byName.values().stream().mapToInt(Containment::nested).sum();
        };
    }

    @Override
    public boolean test(Json json) {
        Value whole = parse(json, part);
        if (part instanceof Scalar scalar && whole instanceof Array array) {
            // Only at the top may the brackets be missing around a scalar: {"a":[1]} does not contain {"a":1}.
            return array.scalars.contains(scalar.text);
        }
        return contains(whole, part);
    }

    private static boolean contains(Value whole, Value part) {
        return switch (part) {
            case Scalar scalar -> scalar.equals(whole);
            case Array wanted -> whole instanceof Array array && holdsAll(array, wanted);
            case Members wanted -> whole instanceof Members members && holdsAll(members, wanted);
        };
    }

    private static boolean holdsAll(Array whole, Array part) {
        if (!whole.scalars.containsAll(part.scalars)) {
            return false;
        }
        for (Value wanted : part.nested) {
            if (!anyContains(whole.nested, wanted)) {
                return false;
            }
        }
        return true;
    }

    private static boolean anyContains(List<Value> candidates, Value wanted) {
        for (Value candidate : candidates) {
            if (contains(candidate, wanted)) {
                return true;
            }
        }
        return false;
    }

    private static boolean holdsAll(Members whole, Members part) {
        for (Map.Entry<String, Value> wanted : part.byName.entrySet()) {
            Value value = whole.byName.get(wanted.getKey());
            if (value == null || !contains(value, wanted.getValue())) {
                return false;
            }
        }
        return true;
    }

    /** What containment asks of a value, and no more: an array has forgotten its order and how often it holds a scalar. */
    private sealed interface Value {}

    /**
     * Anything but an object or an array.
     *
     * @param text starts with a quote where it is a string, so that {@code "1"} is not {@code 1}
     */
    private record Scalar(String text) implements Value {}

    /**
     * An array.
     *
     * @param scalars their texts: strings can be compared, so a set of them stays fast where somebody chose equal hashes
     * @param nested the objects and arrays in it
     */
    private record Array(Set<String> scalars, List<Value> nested) implements Value {}

    /** An object. */
    private record Members(Map<String, Value> byName) implements Value {}

    /** Reads a value, leaving out members that do not matter to the part; everything where there is none. */
    private static Value parse(Json json, @Nullable Value part) {
        try (JsonParser parser = JsonText.parser(json.text())) {
            return value(parser, parser.nextToken(), part);
        } catch (JacksonException e) {
            throw JsonText.notJson(e.getOriginalMessage() + ".", e);
        }
    }

    private static Value value(JsonParser parser, JsonToken token, @Nullable Value part) {
        return switch (token) {
            case START_OBJECT -> members(parser, part instanceof Members members ? members : null);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> new Scalar('"' + parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Scalar(Fingerprint.number(parser.getString()));
            default -> new Scalar(token.asString());
        };
    }

    private static Array array(JsonParser parser) {
        Set<String> scalars = new HashSet<>();
        List<Value> nested = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            Value value = value(parser, token, null);
            if (value instanceof Scalar scalar) {
                scalars.add(scalar.text);
            } else {
                nested.add(value);
            }
        }
        return new Array(scalars, nested);
    }

    private static Members members(JsonParser parser, @Nullable Members part) {
        Map<String, Value> byName = new HashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (part != null && !part.byName.containsKey(name)) {
                parser.skipChildren();
                continue;
            }
            Value value = value(parser, token, part == null ? null : part.byName.get(name));
            byName.put(name, value);
        }
        return new Members(byName);
    }
}
