package io.perdure.sdk.workflow;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.history.Inline;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which events a wait takes: of which name, and with what in their payload. A name of Perdure's own is {@code PD-001}, a payload
 * over the limit of inline values {@code PD-003}, one that is too much to look for {@code PD-007}.
 *
 * @param event the name of the events, where it is not the wait's
 * @param payload what their payload must {@linkplain Json#contains contain}; absent where any will do
 */
public record Match(@Nullable EventName event, @Nullable Json payload) {
    private static final Match ANY = new Match(null, null);

    public Match {
        if (event != null && event.isReserved()) {
            throw new InvalidValueException(
                    ErrorCode.INVALID_NAME,
                    "Event name \"%s\" is not a valid name: names that start with __ are Perdure's own."
                            .formatted(event));
        }
        Inline.value(payload, "The payload of a match");
        if (payload != null) {
            // What is too much to look for is refused here, not when the first event comes.
            Predicate<Json> _ = payload.matcher();
        }
    }

    /** Events with any payload, named as the wait. */
    public static Match any() {
        return ANY;
    }

    /**
     * Events whose payload is an object with this field and value, and whatever else. A {@code null} asks for a field that is there
     * and {@code null}; an object or array may hold more than is asked for. {@code PD-009} where the value
     * has no JSON form, such as a number that is not finite.
     */
    public static Match where(String field, @Nullable Object value) {
        return ANY.and(field, value);
    }

    /** Events whose payload contains this one. */
    public static Match containing(Json payload) {
        return new Match(null, payload);
    }

    /**
     * The same, with one more field that must have its value as well; {@code PD-004} where the match has that field already, or
     * is for payloads that are no object.
     */
    public Match and(String field, @Nullable Object value) {
        JsonObject.Builder fields = JsonObject.builder();
        if (payload != null) {
            JsonObject before = fields(payload, field);
            before.names().forEach(name -> fields.put(name, before.value(name)));
        }
        // Checked again as a whole: the object around it may be one level too many for a value.
        return new Match(
                event, Json.of(fields.put(field, json(field, value)).build().text()));
    }

    private static JsonObject fields(Json payload, String another) {
        if (!payload.text().startsWith("{")) {
            throw new InvalidValueException(
                    ErrorCode.NOT_JSON,
                    "Field \"%s\" cannot be added to a match for payloads that are no object.".formatted(another));
        }
        JsonObject fields = JsonObject.parse(payload);
        if (fields.names().contains(another)) {
            throw new InvalidValueException(
                    ErrorCode.NOT_JSON, "The match asks for field \"%s\" twice.".formatted(another));
        }
        return fields;
    }

    private static Json json(String field, @Nullable Object value) {
        String what = "The value of field \"%s\"".formatted(field);
        return switch (value) {
            // Jackson would write these two as strings.
            case Double number when !Double.isFinite(number) -> throw notFinite(what, number);
            case Float number when !Float.isFinite(number) -> throw notFinite(what, number);
            case null, default -> Codec.standard().write(value, what);
        };
    }

    private static InvalidValueException notFinite(String what, Number number) {
        return new InvalidValueException(
                ErrorCode.NO_JSON_FORM, "%s is %s, which is no JSON number.".formatted(what, number));
    }

    /** The same, for events of this name instead of the wait's. */
    public Match event(String name) {
        return new Match(new EventName(name), payload);
    }

    /** Whether an event with this payload is one of them; its name is not looked at. */
    public boolean fits(Json candidate) {
        return payload == null || candidate.contains(payload);
    }
}
