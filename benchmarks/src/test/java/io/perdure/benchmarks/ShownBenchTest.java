package io.perdure.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.cli.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The commands by which the page on performance says that its figures were measured can be given. */
class ShownBenchTest {
    private static final Pattern COMMAND = Pattern.compile("(?m)^\\./perdure bench (.*)$");

    @Test
    void everyBenchmarkThatIsShownIsOneThatThereIs() throws IOException {
        PrintWriter nobody = new PrintWriter(Writer.nullWriter());
        Terminal terminal = new Terminal(InputStream.nullInputStream(), nobody, nobody, 100, Map.of());
        List<String> shown = COMMAND.matcher(Files.readString(Path.of("../docs/performance.md")))
                .results()
                .map(command -> command.group(1))
                .toList();

        assertThat(shown).hasSizeGreaterThan(5);
        for (String command : shown) {
            CommandLine bench = ((CommandLine)
                            new Benchmarks().commands(terminal).getFirst())
                    .setCaseInsensitiveEnumValuesAllowed(true);
            String[] words = Arrays.stream(command.split(" "))
                    .map(word -> word.replace("'", ""))
                    .toArray(String[]::new);
            assertThat(bench.parseArgs(words).asCommandLineList()).as(command).hasSize(2);
        }
    }
}
