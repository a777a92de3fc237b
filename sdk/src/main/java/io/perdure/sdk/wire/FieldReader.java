package io.perdure.sdk.wire;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a JSON object from the other side. What is wrong with one is an error that names it. A JSON {@code null} counts
 * as absent.
 */
public final class FieldReader {
    private static final BigDecimal MOST_SECONDS =
            BigDecimal.valueOf(Duration.ofDays(36_500).toSeconds());
    private static final int NANOS_DIGITS = 9;

    private final JsonObject object;
    private final String path;

    private FieldReader(JsonObject object, String path) {
        this.object = object;
        this.path = path;
    }

    /** Takes an object apart; any other value is {@code PD-004}. */
    public static FieldReader of(Json json) {
        return new FieldReader(JsonObject.parse(json), "");
    }

    /** Answers this, or throws {@code PD-609} naming a field that is none of these. */
    public FieldReader requireOnly(String... known) {
        Set<String> names = Set.of(known);
        for (String name : object.names()) {
            if (!names.contains(name)) {
                throw InvalidValueException.ofField(
                        path + name, "is not known here; these are: " + String.join(", ", known) + ".");
            }
        }
        return this;
    }

    /** What comes of a value that was read from this field; where it cannot be taken, the error names the field. */
    public <T, R> R taken(String name, T value, Function<T, R> by) {
        return read(name, "a value that fits", _ -> by.apply(value));
    }

    /** What it was before with another value for this field; as it was, where the field is absent. */
    <S, T> S apply(String name, S before, @Nullable T value, BiFunction<S, T, S> change) {
        return value == null ? before : taken(name, value, given -> change.apply(before, given));
    }

    /** Whether a field is there. */
    public boolean has(String name) {
        return object.has(name);
    }

    /** A value of any kind, as its text; {@code PD-005} where it nests too deep. */
    public Optional<Json> value(String name) {
        return has(name) ? Optional.of(read(name, "a value", object::value).requireDepth()) : Optional.empty();
    }

    /** A value of any kind where JSON's {@code null} is one, too: that is also what an absent field means. */
    public Json valueOrNull(String name) {
        return value(name).orElse(Json.NULL);
    }

    /** The content of a string, if it is there. */
    public @Nullable String textOrNull(String name) {
        return has(name) ? read(name, "a string", object::string) : null;
    }

    /** The content of a string; {@code PD-609} where it is missing. */
    public String text(String name) {
        return required(name, textOrNull(name));
    }

    /** What a string means, if it is there. */
    public <T> @Nullable T parsedOrNull(String name, Function<String, T> parse) {
        String text = textOrNull(name);
        return text == null ? null : read(name, "a string that fits", _ -> parse.apply(text));
    }

    /** What a string means; {@code PD-609} where it is missing. */
    public <T> T parsed(String name, Function<String, T> parse) {
        T value = parsedOrNull(name, parse);
        if (value == null) {
            throw missing(name);
        }
        return value;
    }

    /** A whole number, if it is there. */
    public @Nullable Long integerOrNull(String name) {
        return has(name) ? read(name, "a whole number", object::integer) : null;
    }

    /** A whole number that fits an {@code int}, if it is there. */
    public @Nullable Integer numberOrNull(String name) {
        Long value = integerOrNull(name);
        if (value != null && (value < Integer.MIN_VALUE || value > Integer.MAX_VALUE)) {
            throw InvalidValueException.ofField(path + name, "is " + value + ", which is out of range.");
        }
        return value == null ? null : value.intValue();
    }

    /** A whole number; {@code PD-609} where it is missing. */
    public long integer(String name) {
        return required(name, integerOrNull(name));
    }

    /** A whole number that fits an {@code int}; {@code PD-609} where it is missing. */
    public int number(String name) {
        return required(name, numberOrNull(name));
    }

    /** True or false; false where it is absent. */
    public boolean flag(String name) {
        return has(name) && read(name, "true or false", object::bool);
    }

    /** A duration, which is a number of seconds that may have a fraction, if it is there. */
    public @Nullable Duration secondsOrNull(String name) {
        if (!has(name)) {
            return null;
        }
        String text = object.value(name).text();
        try {
            BigDecimal seconds = new BigDecimal(text);
            // Compared before it is scaled: an exponent can make it as long as memory.
            if (seconds.abs().compareTo(MOST_SECONDS) <= 0 && seconds.scale() <= NANOS_DIGITS) {
                return Duration.ofNanos(
                        seconds.movePointRight(NANOS_DIGITS).toBigInteger().longValueExact());
            }
        } catch (NumberFormatException | ArithmeticException _) {
            // Said below.
        }
        throw InvalidValueException.ofField(
                path + name, "must be a number of seconds, such as 30 or 0.5, of at most 100 years.");
    }

    /** A duration; {@code PD-609} where it is missing. */
    public Duration seconds(String name) {
        return required(name, secondsOrNull(name));
    }

    /** A time, if it is there. */
    public @Nullable Instant timeOrNull(String name) {
        if (!has(name)) {
            return null;
        }
        return read(name, "a string", _ -> {
            try {
                return object.time(name);
            } catch (DateTimeException e) {
                throw new InvalidValueException(
                        ErrorCode.INVALID_FIELD,
                        "\"%s\" is no time such as 2026-01-31T12:00:00Z.".formatted(object.string(name)),
                        e);
            }
        });
    }

    /** A time; {@code PD-609} where it is missing. */
    public Instant time(String name) {
        return required(name, timeOrNull(name));
    }

    /** An object whose values are strings; empty where it is absent. */
    public Map<String, String> texts(String name) {
        if (!has(name)) {
            return Map.of();
        }
        FieldReader inner = object(name);
        Map<String, String> texts = new TreeMap<>();
        inner.object.names().forEach(key -> texts.put(key, inner.text(key)));
        return texts;
    }

    /** An object; {@code PD-609} where it is missing. */
    public FieldReader object(String name) {
        Json value = required(name, has(name) ? object.value(name) : null);
        return new FieldReader(read(name, "an object", _ -> JsonObject.parse(value)), path + name + ".");
    }

    /** What the elements of an array mean; {@code PD-609} where it is missing. */
    public <T> List<T> list(String name, Function<Json, T> each) {
        Json value = required(name, has(name) ? object.value(name) : null);
        return read(
                name,
                "an array of what belongs there",
                _ -> JsonArray.parse(value).stream().map(each).toList());
    }

    /** The names of its fields. */
    public Set<String> names() {
        return object.names();
    }

    private <T> T read(String name, String kind, Function<String, T> how) {
        try {
            return how.apply(name);
        } catch (InvalidValueException e) {
            if (e.field().isPresent()) {
                throw e;
            }
            // The request as a whole is JSON: what is wrong is the kind of this value.
            throw e.code() == ErrorCode.NOT_JSON
                    ? InvalidValueException.ofField(path + name, "must be " + kind + ".")
                    : e.in(path + name);
        }
    }

    private <T> T required(String name, @Nullable T value) {
        if (value == null) {
            throw missing(name);
        }
        return value;
    }

    private InvalidValueException missing(String name) {
        return InvalidValueException.ofField(path + name, "is missing.");
    }
}
