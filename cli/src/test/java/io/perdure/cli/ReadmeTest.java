package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the README shows after a command is what the command prints. */
class ReadmeTest {
    private static final Pattern COMMAND = Pattern.compile("```\\n\\$ \\./perdure (.*)\\n((?s:.*?))```");

    @Test
    void commandsPrintWhatIsShown() throws IOException {
        Matcher command = COMMAND.matcher(Files.readString(Path.of("../README.md")));
        int shown = 0;
        while (command.find()) {
            shown++;
            assertThat(Invocation.of(command.group(1).split(" ")).out()).isEqualTo(command.group(2));
        }

        assertThat(shown).isPositive();
    }
}
