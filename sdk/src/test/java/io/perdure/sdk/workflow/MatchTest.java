package io.perdure.sdk.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MatchTest {
    private enum Colour {
        RED {
            @Override
            public String toString() {
                return "rouge";
            }
        }
    }

    private record Place(String town, int number) {}

    @Test
    void anyFitsWhateverComes() {
        assertThat(Match.any()).isEqualTo(new Match(null, null));
        assertThat(Stream.of("null", "1", "[]", "{}").map(Json::of)).allMatch(Match.any()::fits);
    }

    static Stream<Arguments> values() {
        UUID id = UUID.fromString("0199f0aa-0000-7000-8000-000000000001");
        return Stream.of(
                Arguments.of(null, "null"),
                Arguments.of("a\"b", "\"a\\\"b\""),
                Arguments.of(true, "true"),
                Arguments.of(42, "42"),
                Arguments.of(Long.MAX_VALUE, "9223372036854775807"),
                Arguments.of(1.5, "1.5"),
                Arguments.of(1.5f, "1.5"),
                Arguments.of(new BigInteger("123456789012345678901"), "123456789012345678901"),
                Arguments.of(new BigDecimal("1.10"), "1.10"),
                // As a payload with it is written, so that the two fit.
                Arguments.of(Colour.RED, "\"rouge\""),
                Arguments.of(id, "\"" + id + "\""),
                Arguments.of(Json.of("[1.0]"), "[1.0]"),
                Arguments.of(List.of("a", 1), "[\"a\",1]"),
                Arguments.of(Map.of("a", 1), "{\"a\":1}"),
                Arguments.of(new Place("Ulm", 7), "{\"town\":\"Ulm\",\"number\":7}"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void aFieldIsWrittenAsJson(@Nullable Object value, String json) {
        assertThat(Match.where("a", value)).isEqualTo(Match.containing(Json.of("{\"a\":" + json + "}")));
    }

    @Test
    void fieldsAddUp() {
        Match match = Match.where("user", 42).and("town", "Ulm").and("note", null);

        assertThat(match.payload()).isEqualTo(Json.of("{\"user\":42,\"town\":\"Ulm\",\"note\":null}"));
        assertThat(match.fits(Json.of("{\"note\":null,\"town\":\"Ulm\",\"user\":42.0,\"more\":[]}")))
                .isTrue();
        assertThat(match.fits(Json.of("{\"town\":\"Ulm\",\"user\":42}"))).isFalse();
        assertThat(match.fits(Json.of("{\"note\":null,\"town\":\"Bonn\",\"user\":42}")))
                .isFalse();
        assertThat(match.fits(Json.NULL)).isFalse();
        assertThat(Match.any().and("user", 42)).isEqualTo(Match.where("user", 42));
        assertThat(Match.containing(Json.of("{ }")).and("user", 42)).isEqualTo(Match.where("user", 42));
    }

    @Test
    void aPayloadOfAnyKindCanBeAskedFor() {
        assertThat(Match.containing(Json.number(1)).fits(Json.of("[2,1]"))).isTrue();
        assertThat(Match.containing(Json.number(1)).fits(Json.of("2"))).isFalse();
        assertThat(Match.containing(Json.NULL).fits(Json.of("{}"))).isFalse();
    }

    @Test
    void theEventMayHaveAnotherNameThanTheWait() {
        Match match = Match.where("a", 1).event("verified").and("b", 2);

        assertThat(match.event()).isEqualTo(new EventName("verified"));
        assertThat(match.payload()).isEqualTo(Json.of("{\"a\":1,\"b\":2}"));
        assertThat(Match.any().event()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "__mine", "__child.0199f0aa-0000-7000-8000-000000000001"})
    void namesThatNoSignalCanBringAreRefused(String name) {
        assertRefused(() -> Match.any().event(name), ErrorCode.INVALID_NAME, "Event name \"" + name + "\"");
    }

    @Test
    void aFieldIsGivenOnce() {
        assertRefused(
                () -> Match.where("a", 1).and("b", 2).and("a", 1),
                ErrorCode.NOT_JSON,
                "The match asks for field \"a\" twice.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "1", "\"{\"", "[{}]"})
    void aFieldIsAddedToAnObjectOnly(String payload) {
        assertRefused(
                () -> Match.containing(Json.of(payload)).and("a", 1),
                ErrorCode.NOT_JSON,
                "Field \"a\" cannot be added to a match for payloads that are no object.");
    }

    static Stream<Object> valuesWithoutAForm() {
        return Stream.of(Double.NaN, Double.NEGATIVE_INFINITY, Float.NaN, Float.POSITIVE_INFINITY, new Object());
    }

    @ParameterizedTest
    @MethodSource("valuesWithoutAForm")
    void aValueWithoutAJsonFormIsRefused(Object value) {
        assertRefused(() -> Match.where("a", value), ErrorCode.NO_JSON_FORM, "The value of field \"a\"");
    }

    @Test
    void aMatchIsBoundedInSizeDepthAndWork() {
        String most = "x".repeat(1024 * 1024 - "{\"a\":\"\"}".length());
        assertThat(Match.where("a", most).fits(Json.of("{}"))).isFalse();
        assertRefused(
                () -> Match.where("a", most + "x"), ErrorCode.VALUE_TOO_LARGE, "The payload of a match has 1,048,577");
        Json deep = Json.of("[".repeat(128) + "]".repeat(128));
        assertThat(Match.containing(deep).fits(deep)).isTrue();
        assertRefused(() -> Match.where("a", deep), ErrorCode.JSON_TOO_DEEP, "The JSON value is nested deeper");
        Json wide = Json.of("[" + "{},".repeat(256) + "{}]");
        assertRefused(() -> Match.containing(wide), ErrorCode.OUT_OF_BOUNDS, "The value to look for has 257 objects");
    }

    private static void assertRefused(ThrowingCallable call, ErrorCode code, String what) {
        assertThatThrownBy(call)
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith(code.code() + " " + what);
    }
}
