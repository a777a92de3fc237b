package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExplainCommandTest {
    @Test
    void listsEveryCode() {
        String listed = Invocation.of("explain").out();

        assertThat(listed)
                .contains(Stream.of(ErrorCode.values()).map(ErrorCode::code).toList());
        assertThat(listed).hasLineCount(ErrorCode.values().length + 1);
    }

    @ParameterizedTest
    @EnumSource
    void explainsEveryCode(ErrorCode error) {
        Invocation invocation = Invocation.of("explain", error.code());

        assertThat(invocation.exitCode()).isZero();
        assertThat(invocation.out())
                .startsWith(error.code() + "  " + error.title())
                .contains("What happened", "Why", "What to do");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PD-303", "pd-303", "pd303", "303", " PD_303 "})
    void acceptsACodeHoweverItIsWritten(String code) {
        assertThat(Invocation.of("explain", code).out()).startsWith("PD-303  ");
    }

    @Test
    void explainsAsJson() {
        JsonNode json = JsonMapper.shared()
                .readTree(Invocation.of("explain", "303", "--format=json").out());

        assertThat(json.get("code").asString()).isEqualTo("PD-303");
        assertThat(json.propertyNames())
                .containsExactlyInAnyOrder("code", "name", "title", "remedy", "whatHappened", "why", "whatToDo");
    }

    @Test
    void anUnknownCodeIsACodedUsageErrorThatNamesTheOneWrittenAlike() {
        Invocation invocation = Invocation.of("explain", "PD-399");

        assertThat(invocation.exitCode()).isEqualTo(2);
        assertThat(invocation.out()).isEmpty();
        assertThat(invocation.err())
                .startsWith("PD-902 ")
                .contains("\"PD-399\"", "did you mean PD-309 (")
                .hasLineCount(1);
        assertThat(Invocation.of("explain", "3033").err()).contains("did you mean PD-303 (");
        assertThat(Invocation.of("explain", "PD-908").err()).contains("did you mean PD-90");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PD-999", "PD-777", "860", "999999"})
    void aCodeWrittenLikeNoOtherIsNotGuessedAt(String code) {
        Invocation invocation = Invocation.of("explain", code);

        assertThat(invocation.exitCode()).isEqualTo(2);
        assertThat(invocation.err())
                .startsWith("PD-902 No error has the code \"" + code + "\". ")
                .contains("`perdure explain`")
                .doesNotContain("did you mean")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "-303", "_303", "pd--303"})
    void aNegativeNumberIsNoCode(String code) {
        Invocation invocation = Invocation.of("explain", code);

        assertThat(invocation.exitCode()).isEqualTo(2);
        assertThat(invocation.out()).isEmpty();
        assertThat(invocation.err()).startsWith("PD-902 \"" + code + "\" is not an error code");
    }

    @Test
    void whatIsNoCodeAtAllIsSaidToBeNone() {
        Invocation invocation = Invocation.of("explain", "lease");

        assertThat(invocation.exitCode()).isEqualTo(2);
        assertThat(invocation.err()).startsWith("PD-902 \"lease\" is not an error code");
    }

    @Test
    void theListFitsTheTerminal() {
        String listed = Invocation.in(Map.of("COLUMNS", "80"), "explain").out();

        assertThat(listed.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(listed.lines().count()).isGreaterThan(ErrorCode.values().length);
    }

    @Test
    void linesBreakWhereTheTerminalDoesNotWhereThePageDid() {
        assertThat(Invocation.of("explain", "PD-405").out())
                .contains("from parking messages for a day without anyone noticing.");
    }
}
