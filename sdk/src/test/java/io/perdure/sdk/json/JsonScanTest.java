package io.perdure.sdk.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.sdk.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is found by position is what a parser reads. */
class JsonScanTest {
    private static final JsonMapper PARSER = new JsonMapper();
    private static final List<String> SCALARS = List.of("1", "-0.5e+10", "true", "false", "null", "0");
    private static final List<String> PIECES = List.of(
            "a", "é", "€", "😀", "\\\"", "\\\\", "\\n", "\\u0041", "\\\\\\\"", "{", "}", "[", "]", ",", ":", " ");

    private final SplittableRandom random = new SplittableRandom(20_261_116);

    private String space() {
        return " \n\t\r".substring(0, random.nextInt(5)).repeat(random.nextInt(2));
    }

    private String string() {
        StringBuilder text = new StringBuilder("\"");
        IntStream.range(0, random.nextInt(6)).forEach(_ -> text.append(PIECES.get(random.nextInt(PIECES.size()))));
        return text.append('"').toString();
    }

    private String value(int depth) {
        int kind = random.nextInt(depth == 0 ? 2 : 4);
        return switch (kind) {
            case 0 -> SCALARS.get(random.nextInt(SCALARS.size()));
            case 1 -> string();
            case 2 -> array(depth - 1);
            default -> object(depth - 1);
        };
    }

    private String array(int depth) {
        List<String> elements = new ArrayList<>();
        IntStream.range(0, random.nextInt(5)).forEach(_ -> elements.add(space() + value(depth) + space()));
        return "[" + space() + String.join(",", elements) + "]";
    }

    /** Names are numbered, so that none comes twice. */
    private String object(int depth) {
        List<String> members = new ArrayList<>();
        int count = random.nextInt(random.nextInt(10) == 0 ? 40 : 6);
        for (int i = 0; i < count; i++) {
            String name = "\"" + i + string().substring(1);
            members.add(space() + name + space() + ":" + space() + value(depth) + space());
        }
        return "{" + space() + String.join(",", members) + "}";
    }

    private static void same(Json json, JsonNode read) {
        assertThat(PARSER.readTree(json.text())).isEqualTo(read);
        if (read.isObject()) {
            JsonObject object = JsonObject.parse(json);
            assertThat(object.names()).containsExactlyElementsOf(read.propertyNames());
            for (String name : object.names()) {
                same(object.value(name), read.get(name));
                assertThat(object.has(name)).isEqualTo(!read.get(name).isNull());
            }
            assertThat(object.get("no such name")).isEmpty();
        } else if (read.isArray()) {
            List<Json> elements = JsonArray.parse(json);
            assertThat(elements).hasSize(read.size());
            IntStream.range(0, elements.size()).forEach(i -> same(elements.get(i), read.get(i)));
        } else if (read.isString()) {
            JsonObject wrapped =
                    JsonObject.parse(JsonObject.builder().put("s", json).build());
            assertThat(wrapped.string("s")).isEqualTo(read.asString());
        }
    }

    @Test
    void everyPartIsFoundWhereAParserFindsIt() {
        for (int i = 0; i < 5_000; i++) {
            String text = space() + (random.nextBoolean() ? object(4) : array(4)) + space();
            same(Json.of(text), PARSER.readTree(text));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,",
                "{\"a\":1,}",
                "{\"a\" 1}",
                "{a:1}",
                "{\"a\":\"x}",
                "{\"a\":[1}",
                "{\"a\":}",
                "{\"a\":1 2}",
                "{,}",
                "\"a\"",
                "1",
                "",
                " ",
                "{\"a\\\":1}"
            })
    void whatWasCutOffOrMixedUpIsNoObject(String text) {
        assertThatThrownBy(() -> JsonObject.parse(Json.ofStored(text)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("PD-004");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "[1", "[1,", "[1,]", "[,]", "[1 2]", "[\"a]", "[[1]", "{}", "", "[}"})
    void whatWasCutOffOrMixedUpIsNoArray(String text) {
        assertThatThrownBy(() -> JsonArray.parse(Json.ofStored(text)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("PD-004");
    }
}
