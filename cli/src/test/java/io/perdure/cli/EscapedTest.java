package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What others have written stays in its line, and is read back from JSON as it was. */
class EscapedTest {
    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00, 0x07, 0x08, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b, 0x7f, 0x85, 0x9b, 0x200b, 0x2028, 0x2029, 0x202e,
                0x2066, 0xfeff, 0xe0001
            })
    void noSuchCharacterIsLeft(int point) {
        String hostile = "a" + Character.toString(point) + "b";

        assertThat(Escaped.text(hostile)).matches("a\\\\[nrtu].*b").isPrintable();
        assertThat(Escaped.json(hostile)).matches("\"a\\\\[nrtu].*b\"").isPrintable();
        assertThat(JsonMapper.shared().readTree(Escaped.json(hostile)).asString())
                .isEqualTo(hostile);
    }

    @ParameterizedTest
    @CsvSource({"plain, plain", "Grüße 漢字 😀, Grüße 漢字 😀", "c:\\new, c:\\new"})
    void allElseIsLeftAsItIs(String text, String shown) {
        assertThat(Escaped.text(text)).isEqualTo(shown);
        assertThat(JsonMapper.shared().readTree(Escaped.json(text)).asString()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(ints = {0xd800, 0xdfff})
    void halfACharacterIsWrittenOut(int half) {
        String broken = "a" + (char) half + "b";

        assertThat(Escaped.text(broken)).isEqualTo("a\\u" + Integer.toHexString(half) + "b");
    }
}
