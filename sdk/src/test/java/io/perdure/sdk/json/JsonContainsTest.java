package io.perdure.sdk.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Postgres holds of these, its oracle test asks it; here are the cases by name, and those that jsonb cannot hold. */
final class JsonContainsTest {
    @ParameterizedTest(name = "{0}: {1} @> {2} is {3}")
    @CsvSource(delimiter = '|', textBlock = """
            a scalar contains itself            | "foo"                            | "foo"                      | true
            an array contains some of it        | [1, 2, 3]                        | [1, 3]                     | true
            order does not matter               | [1, 2, 3]                        | [3, 1]                     | true
            duplicates do not matter            | [1, 2, 3]                        | [1, 2, 2]                  | true
            an object contains one of its pairs | {"p":"Pg","v":9.4,"jsonb":true}  | {"v": 9.4}                 | true
            an element is not looked into       | [1, 2, [1, 3]]                   | [1, 3]                     | false
            nested as it is                     | [1, 2, [1, 3]]                   | [[1, 3]]                   | true
            a member is not looked into         | {"foo": {"bar": "baz"}}          | {"bar": "baz"}             | false
            a member may be emptied             | {"foo": {"bar": "baz"}}          | {"foo": {}}                | true
            an array contains a primitive       | ["foo", "bar"]                   | "bar"                      | true
            a primitive contains no array       | "bar"                            | ["bar"]                    | false
            objects in an array, in part        | {"t":[{"n":1,"x":0},{"n":2}]}    | {"t":[{"n":2},{"n":1}]}    | true
            a word among a member's             | {"tags": ["nisi", "qui"]}        | {"tags": ["qui"]}          | true
            """)
    void examplesOfPostgres(String name, String whole, String part, boolean contained) {
        assertContains(whole, part, contained);
    }

    @ParameterizedTest(name = "{0}: {1} @> {2} is {3}")
    @CsvSource(delimiter = '|', textBlock = """
            null is null                        | null                   | null              | true
            null is not absent                  | {"a": null}            | {"a": null}       | true
            absent is not null                  | {}                     | {"a": null}       | false
            null is not false                   | {"a": false}           | {"a": null}       | false
            null is not "null"                  | ["null"]               | null              | false
            true is not "true"                  | ["true"]               | true              | false
            empty object in an object           | {"a": 1}               | {}                | true
            empty object in itself              | {}                     | {}                | true
            empty object in no array            | [{}]                   | {}                | false
            empty array in an array             | [1]                    | []                | true
            empty array in itself               | []                     | []                | true
            empty array in no object            | {}                     | []                | false
            empty array in no scalar            | 1                      | []                | false
            empty array in an array of arrays   | [[1]]                  | [[]]              | true
            empty array among scalars           | [1]                    | [[]]              | false
            a primitive one level down          | [[1]]                  | 1                 | false
            a primitive in a member's array     | {"a": [1]}             | {"a": 1}          | false
            a primitive in an element's array   | [[1, 2]]               | [1]               | false
            an array in an element's array      | [[1, 2]]               | [[2]]             | true
            an object in an array at the top    | [{"a": 1}]             | {"a": 1}          | false
            pairs of one object                 | [{"a": 1}, {"b": 2}]   | [{"a": 1, "b": 2}] | false
            one object for two parts            | [{"a": 1, "b": 2}]     | [{"a": 1}, {"b": 2}] | true
            two arrays for one part             | [[1], [2]]             | [[1, 2]]          | false
            the second that fits                | [[1], [1, 2]]          | [[1, 2]]          | true
            more members than there are         | {"a": 1}               | {"a": 1, "b": 1}  | false
            another kind                        | {"a": {}}              | {"a": []}         | false
            letters have a case                 | "a"                    | "A"               | false
            an empty name                       | {"": 1, "a": 2}        | {"": 1}           | true
            """)
    void kindsAndLevels(String name, String whole, String part, boolean contained) {
        assertContains(whole, part, contained);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1.0, true",
        "1, 1e0, true",
        "1, 10e-1, true",
        "1, 0.1E+1, true",
        "-0, 0, true",
        "-0.00e7, 0, true",
        "1, -1, false",
        "10, 1, false",
        "0.1, 0.10000000000000000000000000000000001, false",
        "9007199254740993, 9007199254740992, false",
        "12345678901234567890123, 12345678901234567890123.000, true",
        "1e999999999, 10e999999998, true",
        "1e999999999, 1e999999998, false",
        "1e-999999999, 0, false",
        "1e99999999999999999999, 0.1e100000000000000000000, true",
        "-1e999999999, 1e999999999, false",
        "0e999999999, 0, true",
        "1, '\"1\"', false",
    })
    @Timeout(60)
    void numbersAreEqualByValueHoweverLarge(String whole, String part, boolean contained) {
        assertContains(whole, part, contained);
        assertContains("[2," + whole + "]", part, contained);
        assertContains("{\"a\":" + whole + "}", "{\"a\":" + part + "}", contained);
    }

    @ParameterizedTest
    @CsvSource({
        "\"\\u00e9\", \"é\", true",
        "\"\\ud83d\\ude00\", \"😀\", true",
        "\"\\/\", \"/\", true",
        "\"e\\u0301\", \"é\", false",
        "\"\\u0000\", \"\\u0000\", true",
        "\"\\u0000\", \"\", false",
        "\"a\\u0000b\", \"a\", false",
    })
    void stringsAndNamesAreEqualByTheirCharacters(String whole, String part, boolean contained) {
        assertContains(whole, part, contained);
        assertContains("{" + whole + ":1,\"x\":2}", "{" + part + ":1}", contained);
    }

    /** As strings only: the parser takes them in no name. */
    @Test
    void brokenSurrogatesAreEqualToThemselves() {
        assertContains("\"\\ud800\"", "\"\\uD800\"", true);
        assertContains("\"\ud800\"", "\"\\ud800\"", true);
        assertContains("\"\\ud800\"", "\"\\ud801\"", false);
        assertContains("\"\\ud83d\"", "\"\\ud83d\\ude00\"", false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void valuesAreLookedIntoAsDeepAsTheyGo(String open) {
        String close = open.equals("[") ? "]" : "}";
        String whole = open.repeat(128) + "1" + close.repeat(128);
        assertContains(whole, whole, true);
        assertContains(whole, open.repeat(128) + "2" + close.repeat(128), false);
        assertContains(whole, open.repeat(127) + "1" + close.repeat(127), false);
    }

    @Test
    void membersThatAreNotAskedForAreSkippedWhateverTheyHold() {
        assertContains("{\"x\":[{\"a\":2}],\"y\":{\"a\":3},\"a\":1,\"z\":\"a\"}", "{\"a\":1}", true);
        assertContains("{\"a\":{\"x\":[[]],\"b\":1},\"b\":2}", "{\"b\":2,\"a\":{\"b\":1}}", true);
        assertContains("{\"a\":{\"x\":[[]],\"b\":1},\"b\":2}", "{\"a\":{\"b\":2}}", false);
    }

    @Test
    @Timeout(60)
    void scalarsAreNotHeldAgainstEachOther() {
        int many = 100_000;
        Json whole = array(IntStream.range(0, many), "%s");
        assertThat(whole.contains(array(IntStream.range(0, many).map(i -> many - 1 - i), "%s.0")))
                .isTrue();
        assertThat(whole.contains(array(IntStream.rangeClosed(1, many), "%s"))).isFalse();
    }

    /** "Aa" and "BB" have one hash, and so has every row of as many of the two. */
    @Test
    @Timeout(60)
    void equalHashesDoNotSlowItDown() {
        List<String> equal = IntStream.range(0, 1 << 15)
                .mapToObj(bits -> IntStream.range(0, 15)
                        .mapToObj(bit -> (bits >> bit & 1) == 0 ? "Aa" : "BB")
                        .collect(Collectors.joining("", "\"", "\"")))
                .toList();
        assertThat(equal.stream().map(String::hashCode).distinct()).hasSize(1);
        String texts = String.join(",", equal);

        assertContains("[" + texts + "]", "[" + String.join(",", equal.reversed()) + "]", true);
    }

    @Test
    @Timeout(60)
    void objectsInArraysAreBoundedInThePartAndNotInTheValue() {
        int many = 80_000;
        Json whole = array(IntStream.range(0, many), "{\"a\":%s}");
        Json most = array(IntStream.range(many - 256, many), "{\"a\":%s}");
        assertThat(whole.contains(most)).isTrue();
        assertThat(Json.NULL.contains(Json.of("{\"b\":%s}".formatted(most)))).isFalse();

        Json tooMany = Json.of("{\"b\":[%s]}".formatted(most));
        assertThatThrownBy(tooMany::matcher)
                .hasMessageStartingWith(
                        "PD-007 The value to look for has 257 objects and arrays inside arrays; at most 256");
    }

    @Test
    void oneMatcherServesManyValues() {
        Predicate<Json> matcher = Json.of("{\"a\":1}").matcher();

        assertThat(IntStream.range(0, 100).mapToObj(i -> Json.of("{\"b\":%s,\"a\":%s}".formatted(i, i % 10))))
                .filteredOn(matcher)
                .hasSize(10);
    }

    private static Json array(IntStream numbers, String element) {
        return Json.of(numbers.mapToObj(number -> element.formatted(Integer.toString(number)))
                .collect(Collectors.joining(",", "[", "]")));
    }

    private static void assertContains(String whole, String part, boolean contained) {
        assertThat(Json.of(whole).contains(Json.of(part)))
                .as("%.80s @> %.80s", whole, part)
                .isEqualTo(contained);
    }
}
