package io.perdure.sdk.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "0",
                "-0",
                "1.10",
                "1e400",
                "123456789012345678901234567890",
                "\"\\u0000\"",
                "\"\\ud800\"",
                "\"😀\"",
                "[]",
                "{\"b\":1,\"a\":2}",
                "{ \"a\" : [ 1 , 2 ] }"
            })
    void textIsKeptToTheLetter(String text) {
        assertThat(Json.of(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "nul",
                "NaN",
                "'a'",
                "{",
                "[1,]",
                "{\"a\":1,}",
                "1 2",
                "\"a",
                "\"\t\"",
                "01",
                "\"\\x\"",
                "\uFEFF1",
                "{\"a\":1,\"a\":2}",
                "{a:1}",
                "// c\n1",
                "\u20031",
                "\"\\\ud800\""
            })
    void textThatIsNotOneJsonValueIsRefused(String text) {
        assertRefused(text, ErrorCode.NOT_JSON);
    }

    @Test
    void nestingIsBounded() {
        Json deepest = Json.of("[".repeat(128) + "]".repeat(128));

        assertThat(deepest.bytes()).isEqualTo(256);
        assertRefused("[".repeat(129) + "]".repeat(129), ErrorCode.JSON_TOO_DEEP);
        assertRefused("[".repeat(1_000_000), ErrorCode.JSON_TOO_DEEP);
    }

    @Test
    void aBrokenSurrogateBecomesItsEscapeSoThatEveryDatabaseCanHoldIt() {
        assertThat(Json.of("\"\ud83d\"").text()).isEqualTo("\"\\ud83d\"");
        assertThat(Json.of("\"\ude00\ud83d\"").text()).isEqualTo("\"\\ude00\\ud83d\"");
        assertThat(Json.string("a\ud83db").text()).isEqualTo("\"a\\ud83db\"");
    }

    /** Its escape could be stored, and never be read again. */
    @Test
    void aBrokenSurrogateInAMembersNameIsRefused() {
        assertRefused("{\"\ud83d\":1}", ErrorCode.NOT_JSON);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"a\"", "\"é\"", "\"€\"", "\"😀\"", "\"\\u0000\"", "[1,\"é€😀\"]"})
    void bytesAreThoseOfUtf8(String text) {
        assertThat(Json.of(text).bytes()).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }

    @Test
    void aValueOverItsBoundIsRefusedWithItsNameAndSize() {
        assertThat(Json.of("\"abc\"").within(5, "Input")).isEqualTo(Json.of("\"abc\""));
        assertThatThrownBy(() -> Json.of("\"abc\"").within(4, "Input"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("PD-003 Input has 5 bytes; at most 4 fit.");
    }

    @Test
    void boundsAreOfBytesHoweverMuchACharacterTakes() {
        for (String content : new String[] {"a", "é", "€", "😀", "\uD83D\uDE00€"}) {
            Json value = Json.string(content.repeat(7));
            int bytes = value.text().getBytes(StandardCharsets.UTF_8).length;

            assertThat(value.within(bytes, "Input")).isSameAs(value);
            assertThatThrownBy(() -> value.within(bytes - 1, "Input")).hasMessageContaining("PD-003");
        }
    }

    @Test
    void aStringHasItsContentAndATimeIsOne() {
        Instant time = Instant.parse("2026-01-31T12:00:00.120Z");

        assertThat(Json.string("a\"b\\c\n\u0000é😀").content()).isEqualTo("a\"b\\c\n\u0000é😀");
        assertThat(Json.time(time).text()).isEqualTo("\"2026-01-31T12:00:00.120Z\"");
        assertThat(Json.time(time).time()).isEqualTo(time);
        assertThatThrownBy(() -> Json.string("noon").time()).isInstanceOf(DateTimeException.class);
        for (String other : new String[] {"1", "null", "[\"a\"]", "{}"}) {
            assertThatThrownBy(() -> Json.of(other).content()).hasMessageContaining("PD-004");
        }
    }

    @Test
    void stringsAreQuoted() {
        String content = "a\"b\\c\n\u0000é😀";
        assertThat(JsonObject.parse(JsonObject.builder().put("s", content).build())
                        .string("s"))
                .isEqualTo(content);
    }

    @Test
    void fingerprintsCompareByMeaning() {
        Json value = Json.of("{\"a\":1.0,\"b\":[\"\\u0041\",{\"c\":100}]}");

        assertThat(Json.of(" { \"b\" : [ \"A\" , { \"c\" : 1e2 } ] , \"a\" : 1 } ")
                        .fingerprint())
                .isEqualTo(value.fingerprint());
        assertThat(Json.of("{\"a\":1.0,\"b\":[{\"c\":100},\"A\"]}").fingerprint())
                .isNotEqualTo(value.fingerprint());
        assertThat(Json.of("{\"a\":1.01,\"b\":[\"A\",{\"c\":100}]}").fingerprint())
                .isNotEqualTo(value.fingerprint());
        assertThat(Json.of("1e99999999999").fingerprint())
                .isEqualTo(Json.of("10E99999999998").fingerprint());
        assertThat(Json.of("-1e99999999999").fingerprint())
                .isNotEqualTo(Json.of("1e99999999999").fingerprint());
        assertThat(Json.of("-0.00e5").fingerprint()).isEqualTo(Json.of("0").fingerprint());
        assertThat(Json.of("0.0120").fingerprint()).isEqualTo(Json.of("12e-3").fingerprint());
        assertThat(Json.of("\"1\"").fingerprint()).isNotEqualTo(Json.of("1").fingerprint());
        assertThat(Json.of("[]").fingerprint()).isNotEqualTo(Json.of("{}").fingerprint());
        assertThat(Json.of("null").fingerprint())
                .isNotEqualTo(Json.of("\"null\"").fingerprint());
    }

    private static void assertRefused(String text, ErrorCode code) {
        assertThatThrownBy(() -> Json.of(text))
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
