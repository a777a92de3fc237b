package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
                .contains(
                        "demo",
                        "queue",
                        "dlq",
                        "runs",
                        "workers",
                        "key ",
                        "migrate",
                        "version",
                        "limits",
                        "explain",
                        "help ",
                        "Examples:",
                        "Exit codes:",
                        "docs/errors/");
    }

    @Test
    void theHelpSaysThatABadValueDoesNothing() {
        assertThat(Invocation.of("--help").out()).contains("wrong usage or a bad value: nothing was done or sent");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.perdure.core.queue",
                "org.sqlite.SQLiteJDBCLoader",
                "org.postgresql.Driver",
                "com.zaxxer.hikari.pool.HikariPool"
            })
    void theLogOfALibraryIsForWhoAskedForStackTraces(String library) {
        System.Logger log = System.getLogger(library);

        Invocation.of("version");
        assertThat(log.isLoggable(System.Logger.Level.ERROR)).isFalse();
        Invocation.of("version", "--stacktrace");
        assertThat(log.isLoggable(System.Logger.Level.ERROR)).isTrue();
        Invocation.in(Map.of("PERDURE_STACKTRACE", "1"), "version");
        assertThat(log.isLoggable(System.Logger.Level.ERROR)).isTrue();
    }

    @Test
    void theHelpPromisesOnlyWhatThereIs() {
        assertThat(Invocation.of("--help").out().replaceAll("\\s+", " "))
                .startsWith("Durable execution for Java: "
                        + "workflows and queues that survive crashes, restarts and deploys. Usage: perdure");
    }

    /** One that is too long for the help would go on at the margin. */
    @Test
    void noLineOfItsListsIsBroken() {
        assertThat(Invocation.of("--help")
                        .out()
                        .lines()
                        .dropWhile(line -> !line.equals("Examples:"))
                        .filter(line -> !line.isEmpty() && !line.startsWith("  ")))
                .hasSize(3)
                .startsWith("Examples:", "Environment:")
                .last()
                .asString()
                .startsWith("Documentation: ");
    }

    @Test
    void paragraphsAreBrokenWhereTheTerminalEndsAndNowhereElse() {
        assertThat(Invocation.of("doctor", "--help").out().lines())
                .contains(
                        "is no problem. A store is neither made nor migrated; beside a SQLite file a small file is written,");
    }

    @Test
    void helpInWordsIsHelpByOption() {
        assertThat(Invocation.of("help")).isEqualTo(Invocation.of("--help"));
        assertThat(Invocation.of("help", "limits")).isEqualTo(Invocation.of("limits", "--help"));
        assertThat(Invocation.of("help", "help")).isEqualTo(Invocation.of("help", "--help"));
        assertThat(Invocation.of("help", "queue")).isEqualTo(Invocation.of("queue", "--help"));
        assertThat(Invocation.of("help", "queue", "send")).isEqualTo(Invocation.of("queue", "send", "--help"));
    }

    @Test
    void helpWithAMistypedCommandNamesTheNearest() {
        Invocation invocation = Invocation.of("help", "limit");

        assertThat(invocation.exitCode()).isEqualTo(2);
        assertThat(invocation.out()).isEmpty();
        assertThat(invocation.err())
                .startsWith("PD-901 Unknown command or argument \"limit\". Did you mean \"limits\"?")
                .hasLineCount(1);
    }

    @Test
    void anArgumentWithAnAtSignReadsNoFile(@TempDir Path folder) throws IOException {
        String argument = "@" + Files.writeString(folder.resolve("arguments"), "version");

        assertThat(Invocation.of(argument).err()).startsWith("PD-901 ").contains("\"" + argument + "\"");
        assertThat(Invocation.of(argument).out()).isEmpty();
        assertThat(Invocation.of("explain", argument).err()).startsWith("PD-902 \"" + argument + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--stacktrace", "--format=text"})
    void controlCharactersOfArgumentsDoNotReachTheTerminal(String option) {
        String hostile = "a\u001B]0;title\u0007\u009B31m\r\tb\tc\u0000";

        assertThat(Invocation.of("explain", option, hostile).err())
                .startsWith("PD-902 \"a\uFFFD]0;title\uFFFD\uFFFD31m b c\uFFFD\"")
                .doesNotContainPattern("[\\p{Cc}&&[^\\n\\t]]");
        assertThat(Invocation.of(hostile).err())
                .startsWith("PD-901 ")
                .hasLineCount(1)
                .doesNotContainPattern("[\\p{Cc}&&[^\\n]]");
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
