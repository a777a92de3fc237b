package io.perdure.sdk.json;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Turns the values of users into JSON and back, by Jackson. Safe for many threads. */
public final class Codec {
    private static final Codec STANDARD = new Codec(JsonMapper.builder()
            // A stream, a lambda or a service would be written as {} and be lost without a word.
            .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .build());

    private final ObjectMapper mapper;

    private Codec(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** By Jackson as it comes, without type names in the JSON; only that a value without members, such as a stream, is refused. */
    public static Codec standard() {
        return STANDARD;
    }

    /** By a mapper that a user has set up; it must write JSON. */
    public static Codec of(ObjectMapper mapper) {
        return new Codec(mapper);
    }

    /** Writes a value; {@code PD-009} naming {@code what} where it has no JSON form, {@code PD-005} where it nests too deep. */
    public Json write(@Nullable Object value, String what) {
        if (value == null) {
            return Json.NULL;
        }
        if (value instanceof Json json) {
            return json;
        }
        try {
            return Json.of(mapper.writeValueAsString(value));
        } catch (JacksonException e) {
            throw new InvalidValueException(
                    ErrorCode.NO_JSON_FORM,
                    "%s, a %s, cannot be written: %s."
                            .formatted(what, value.getClass().getName(), e.getOriginalMessage()),
                    e);
        }
    }

    /** Reads a value, {@code null} where the JSON is; {@code PD-010} naming {@code what} where it does not fit the type. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // The type is named by the parameter of that name.
    public <T> @Nullable T read(Json json, Type type, String what) {
        try {
            Object value = type == Json.class ? json : mapper.readValue(json.text(), mapper.constructType(type));
            @SuppressWarnings("unchecked") // A value that Jackson read as that type.
            T typed = (T) value;
            return typed;
        } catch (JacksonException e) {
            throw new InvalidValueException(
                    ErrorCode.UNFIT_VALUE,
                    "%s cannot be read as %s: %s.".formatted(what, type.getTypeName(), e.getOriginalMessage()),
                    e);
        }
    }
}
