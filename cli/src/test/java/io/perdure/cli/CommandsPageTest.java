package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The reference of the command line has every command and option, as {@code --help} has them. */
class CommandsPageTest {
    private static final Path PAGE = Path.of("../docs/reference/cli.md");

    /** After a change: {@code mvn -pl cli -am test -Dtest=CommandsPageTest -Dperdure.rewrite=true} writes it anew. */
    @Test
    void thePageIsWhatTheCommandsSay() throws IOException {
        PrintWriter nobody = Main.writer(OutputStream.nullOutputStream());
        String written =
                CommandsPage.of(Commands.over(Terminal.of(InputStream.nullInputStream(), nobody, nobody, Map.of())));
        if (Boolean.getBoolean("perdure.rewrite")) {
            Files.writeString(PAGE, written);
        }

        assertThat(Files.readString(PAGE)).isEqualTo(written);
        assertThat(written)
                .contains("### queue send\n", "| `--delay TIME` |", "### runs redrive\n")
                .doesNotContain("${", "greet");
    }
}
