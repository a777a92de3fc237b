package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Every command that a page shows is one that there is, and does what it is shown for: it runs, in the order of its page, and ends well.
 * {@code perdure bench} is tested beside the benchmarks, and the start page is followed whole in {@code architecture}.
 */
class ShownCommandsTest {
    private static final OutputStream OUT = OutputStream.nullOutputStream();

    static List<Path> pages() throws IOException {
        return ShownCommand.pages();
    }

    static Stream<Path> pagesThatAreRun() throws IOException {
        return ShownCommand.pages().stream()
                .filter(page -> !page.endsWith("start.md"))
                .filter(page ->
                        shownIn(page).anyMatch(command -> command.notRun().isEmpty()));
    }

    private static Stream<ShownCommand> shownIn(Path page) {
        try {
            return ShownCommand.in(page).stream().filter(command -> !command.startsWith("bench"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void thereAreCommandsToBeSeen() throws IOException {
        assertThat(pages().stream().flatMap(ShownCommandsTest::shownIn)).hasSizeGreaterThan(60);
        assertThat(pagesThatAreRun()).hasSizeGreaterThan(3);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandIsOneThatThereIs(Path page) throws IOException {
        shownIn(page).filter(command -> !command.isCurl()).forEach(command -> parse(command, command.arguments()));
        for (List<String> words : ShownCommand.inTextOf(page)) {
            if (!words.get(1).equals("bench")) {
                lookUp(page, words.subList(1, words.size()));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void whatIsNotRunHasItsReason(Path page) {
        assertThat(shownIn(page).map(ShownCommand::notRun).filter(reason -> !reason.isEmpty()))
                .allSatisfy(reason -> assertThat(reason).hasSizeGreaterThan(15));
    }

    @ParameterizedTest
    @MethodSource("pagesThatAreRun")
    void everyCommandOfAPageRuns(Path page, @TempDir Path folder) throws IOException, InterruptedException {
        try (Stage stage = Stage.in(folder)) {
            PageSession session = new PageSession(stage);
            for (ShownCommand command : shownIn(page).toList()) {
                if (command.notRun().isEmpty()) {
                    session.run(command);
                }
            }
        }
    }

    @Test
    void plantedCommandsAreRefused() {
        assertThatThrownBy(() -> parse("planted", List.of("runs", "lits"))).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> parse("planted", List.of("runs", "list", "--wating")))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> lookUp(Path.of("planted"), List.of("runs", "get", "--stoer")))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> lookUp(Path.of("planted"), List.of("runs", "lits")))
                .isInstanceOf(AssertionError.class);
        lookUp(Path.of("planted"), List.of("runs", "get"));
    }

    @Test
    void blocksAreTakenApartAsAShellDoes() {
        List<ShownCommand> found = ShownCommand.in("page.md", """
                Text.

                <!-- not run: it is of no use to anybody -->
                ```shell
                perdure runs list --tag 'a b'   # all
                ```

                ```
                $ ./perdure queue send mail '{"to": "#1"}' \\
                     --delay 5m < in.txt
                sent
                $ curl -s http://a/b
                ```
                """.lines().toList());

        assertThat(found)
                .containsExactly(
                        new ShownCommand(
                                "page.md:5",
                                List.of("perdure", "runs", "list", "--tag", "a b"),
                                "",
                                "it is of no use to anybody"),
                        new ShownCommand(
                                "page.md:9",
                                List.of(
                                        "./perdure",
                                        "queue",
                                        "send",
                                        "mail",
                                        "{\"to\": \"#1\"}",
                                        "--delay",
                                        "5m",
                                        "<",
                                        "in.txt"),
                                "sent",
                                ""),
                        new ShownCommand("page.md:12", List.of("curl", "-s", "http://a/b"), "", ""));
        assertThat(found.get(1).arguments()).endsWith("--delay", "5m");
    }

    private static CommandLine commands() {
        return Commands.over(Terminal.of(InputStream.nullInputStream(), Main.writer(OUT), Main.writer(OUT), Map.of()));
    }

    private static void parse(Object where, List<String> arguments) {
        try {
            commands().parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            throw new AssertionError(where + ": " + e.getMessage(), e);
        }
    }

    /** In a text a command may lack what it needs; what it names has to be there. */
    private static void lookUp(Path page, List<String> arguments) {
        CommandLine command = commands();
        for (String word : arguments) {
            CommandLine next = command.getSubcommands().get(word);
            if (next != null) {
                command = next;
            } else if (word.startsWith("-")) {
                assertThat(command.getCommandSpec().optionsMap())
                        .as("%s: %s", page, arguments)
                        .containsKey(word.replaceFirst("=.*", ""));
            } else {
                assertThat(command.getSubcommands().keySet())
                        .as("%s: %s, %s", page, arguments, word)
                        .isEmpty();
            }
        }
    }
}
