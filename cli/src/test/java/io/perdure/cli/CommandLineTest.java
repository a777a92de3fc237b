package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CommandLineTest {
    @Test
    void helpSaysWhatPerdureIsAndListsEveryCommandWithExamplesAndExitCodes() {
        Invocation help = Invocation.of("--help");

        assertThat(help.exitCode()).isZero();
        assertThat(help.err()).isEmpty();
        assertThat(help.out())
                .startsWith("Perdure is durable execution for Java")
                .contains("version", "limits", "explain", "Examples:", "Exit codes:", "docs/errors/");
    }

    @Test
    void withoutACommandItShowsTheHelp() {
        assertThat(Invocation.of()).isEqualTo(Invocation.of("--help"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "limits", "explain"})
    void everyCommandHasHelpOfItsOwn(String command) {
        Invocation help = Invocation.of(command, "--help");

        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("Usage: perdure " + command, "--format");
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "limits", "explain"})
    void everyCommandThatPrintsDataSpeaksJson(String command) {
        Invocation invocation = Invocation.of(command, "--format", "json");

        JsonNode json = JsonMapper.shared().readTree(invocation.out());
        assertThat(json.size()).isPositive();
        assertThat(invocation.err()).isEmpty();
    }

    @Test
    void versionComesFromTheBuild() {
        JsonNode json = JsonMapper.shared()
                .readTree(Invocation.of("version", "--format", "json").out());

        assertThat(json.get("perdure").asString()).matches("[0-9]+\\.[0-9]+\\.[0-9]+.*");
        assertThat(Invocation.of("version").out())
                .contains("perdure " + json.get("perdure").asString());
        assertThat(Invocation.of("--version").out().strip())
                .isEqualTo("perdure " + json.get("perdure").asString());
    }

    @Test
    void aMistypedCommandIsAUsageErrorThatNamesTheNearest() {
        Invocation invocation = Invocation.of("vresion");

        assertThat(invocation.exitCode()).isEqualTo(2);
        assertThat(invocation.out()).isEmpty();
        assertThat(invocation.err())
                .startsWith("PD-901 Unknown command or argument \"vresion\".")
                .contains("Did you mean \"version\"?")
                .hasLineCount(1);
    }

    @Test
    void aMistypedOptionIsAUsageErrorThatNamesTheNearest() {
        Invocation invocation = Invocation.of("limits", "--fromat", "json");

        assertThat(invocation.exitCode()).isEqualTo(2);
        assertThat(invocation.err())
                .startsWith("PD-901 Unknown option \"--fromat\".")
                .contains("Did you mean \"--format\"?", "\"perdure limits --help\"")
                .hasLineCount(1);
    }

    @Test
    void aWordNearNothingIsNotGuessedAt() {
        assertThat(Invocation.of("zzzzzz").err()).doesNotContain("Did you mean");
    }

    @Test
    void aWrongFormatSaysWhichOnesThereAre() {
        Invocation invocation = Invocation.of("limits", "--format", "yaml");

        assertThat(invocation.exitCode()).isEqualTo(2);
        assertThat(invocation.err()).startsWith("PD-901 ").contains("expected text or json but was \"yaml\"");
    }

    @Test
    void aStackTraceIsShownOnlyWhenAskedFor() {
        assertThat(Invocation.of("explain", "999").err()).doesNotContain("\tat ");
        assertThat(Invocation.of("--stacktrace", "explain", "999").err()).contains("\tat ");
        assertThat(Invocation.of("explain", "--stacktrace", "999").err()).contains("\tat ");
        assertThat(Invocation.in(Map.of("PERDURE_STACKTRACE", "1"), "explain", "999")
                        .err())
                .contains("\tat ");
        assertThat(Invocation.in(Map.of("PERDURE_STACKTRACE", "0"), "explain", "999")
                        .err())
                .doesNotContain("\tat ");
    }
}
