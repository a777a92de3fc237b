package io.perdure.sdk.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.sdk.InvalidValueException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JsonObjectTest {
    @Test
    void membersKeepTheirTextThroughReadingAndWriting() {
        Json whole = Json.of(
                "{ \"n\" : 1.10 , \"s\" : \"\\u0000\\ud800\" , \"o\" : { \"b\":1e400, \"a\": [ ] } , \"l\" : [ 1 ,2 ] ,"
                        + " \"t\":true,\"z\":null , \"e\" : \"\" }");
        JsonObject object = JsonObject.parse(whole);

        assertThat(object.names()).containsExactly("n", "s", "o", "l", "t", "z", "e");
        assertThat(object.value("n").text()).isEqualTo("1.10");
        assertThat(object.value("s").text()).isEqualTo("\"\\u0000\\ud800\"");
        assertThat(object.value("o").text()).isEqualTo("{ \"b\":1e400, \"a\": [ ] }");
        assertThat(object.value("l").text()).isEqualTo("[ 1 ,2 ]");
        assertThat(object.value("t").text()).isEqualTo("true");
        assertThat(object.value("z")).isEqualTo(Json.NULL);
        assertThat(object.value("e").text()).isEqualTo("\"\"");
    }

    @Test
    void aLongMemberIsSlicedAcrossTheParsersBuffers() {
        String text = "é€😀 \\n ".repeat(20_000);
        Json whole = Json.of("{\"a\":\"" + text + "\",\"b\":[" + "1,".repeat(20_000) + "2],\"c\":3}");
        JsonObject object = JsonObject.parse(whole);

        assertThat(object.value("a").text()).isEqualTo("\"" + text + "\"");
        assertThat(object.value("b").text()).startsWith("[1,").endsWith(",2]");
        assertThat(object.integer("c")).isEqualTo(3);
    }

    @Test
    void aNullMemberIsThereAndAnAbsentOneIsNot() {
        JsonObject object = JsonObject.parse(Json.of("{\"a\":null}"));

        assertThat(object.get("a")).contains(Json.NULL);
        assertThat(object.get("b")).isEmpty();
        assertThat(object.value("a")).isEqualTo(Json.NULL);
        assertThatThrownBy(() -> object.value("b"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("\"b\" is missing");
    }

    @Test
    void aMemberOfTheWrongTypeIsRefused() {
        JsonObject object = JsonObject.parse(Json.of("{\"s\":\"x\",\"n\":1.5,\"big\":99999999999999999999}"));

        assertThatThrownBy(() -> object.integer("s")).hasMessageContaining("must be an integer");
        assertThatThrownBy(() -> object.integer("n")).hasMessageContaining("must be an integer");
        assertThatThrownBy(() -> object.integer("big")).hasMessageContaining("out of range");
        assertThatThrownBy(() -> object.string("n")).hasMessageContaining("must be a string");
        assertThatThrownBy(() -> object.bool("s")).hasMessageContaining("must be true or false");
        assertThatThrownBy(() -> JsonObject.parse(Json.of("[1]"))).hasMessageContaining("An object is expected");
    }

    @Test
    void theBuilderLeavesOutWhatIsAbsent() {
        Json json = JsonObject.builder()
                .put("a", (Json) null)
                .put("b", (String) null)
                .put("c", "x")
                .put("d", 1)
                .put("e", true)
                .build();

        assertThat(json.text()).isEqualTo("{\"c\":\"x\",\"d\":1,\"e\":true}");
    }

    @Test
    void aBuilderCanBeAskedTwice() {
        JsonObject.Builder builder = JsonObject.builder().put("a", 1);

        assertThat(builder.build()).isEqualTo(builder.build());
        assertThat(builder.put("b", 2).build().text()).isEqualTo("{\"a\":1,\"b\":2}");
    }

    @Test
    void ofTwoMembersWithOneNameTheLastCountsHoweverManyThereAre() {
        String few = "\"a\":1,\"a\":2";
        String many = IntStream.range(0, 40).mapToObj(i -> "\"n" + i + "\":0,").collect(Collectors.joining());

        assertThat(JsonObject.parse(Json.ofStored("{" + few + "}")).integer("a"))
                .isEqualTo(2);
        assertThat(JsonObject.parse(Json.ofStored("{" + many + few + "}")).integer("a"))
                .isEqualTo(2);
    }

    @Test
    void onlyNullIsAbsent() {
        JsonObject object = JsonObject.parse(Json.ofStored("{\"a\":null,\"b\":nullified,\"c\":\"null\"}"));

        assertThat(object.has("a")).isFalse();
        assertThat(object.has("b")).isTrue();
        assertThat(object.has("c")).isTrue();
        assertThat(object.has("d")).isFalse();
    }
}
