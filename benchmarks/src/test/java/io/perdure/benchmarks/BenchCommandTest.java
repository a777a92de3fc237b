package io.perdure.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.cli.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What cannot be measured is refused before anything is started. */
final class BenchCommandTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            queue --store oracle                                | there is sqlite, postgres, or the URL of a server
            queue --store jdbc:sqlite:app.db                    | a server's URL begins with jdbc:postgresql://
            queue --store jdbc:postgresql://me:secret@host/app  | user and password are written as ?user=
            queue --store sqlite --folder no/such/folder        | --folder no/such/folder is not a folder
            queue --processes 0                                 | between 1 and 64
            queue --processes 2,65                              | between 1 and 64
            queue --processes two                               | 'two' is not an int
            queue --seconds 0                                   | --seconds must lie between 1 and 3600
            queue-tables --store sqlite                         | there is postgres, or the URL of a server
            queue-tables --messages 0                           | --messages must be 1 or more
            queue-tables --held-seconds 0                       | --held-seconds must lie between 1 and 1200
            run-tables --store sqlite                           | there is postgres, or the URL of a server
            run-tables --held-seconds 1201                      | --held-seconds must lie between 1 and 1200
            workflows --store oracle                            | there is sqlite, postgres, or the URL of a server
            workflows --seconds 0                               | --seconds must lie between 1 and 3600
            workflows --steps 0                                 | --steps must lie between 1 and 10000
            workflows --concurrency 0                           | --concurrency must lie between 1 and 1000000
            workflows --finished -1                             | --finished must lie between 0 and 1000000000
            http --store oracle                                 | there is sqlite, postgres, or the URL of a server
            http --runs 9                                       | --runs must lie between 10 and 100000000
            http --seconds 0                                    | --seconds must lie between 1 and 3600
            costs --store oracle                                | there is sqlite, postgres, or the URL of a server
            lists --store oracle                                | there is sqlite, postgres, or the URL of a server
            lists --runs 0                                      | --runs must lie between 1 and 1000000000
            profile --of runs                                   | Missing required option: '--out=FILE'
            profile --out x.svg                                 | Missing required option: '--of=WORK'
            profile --of all --out x.svg                        | there are runs and messages
            profile --of runs --out x.svg --seconds 0           | --seconds must lie between 1 and 3600
            profile --of runs --out no/such/x.svg               | --out no/such/x.svg is in no folder that there is
            costs --operations 0                                | --operations must lie between 1 and 100000000
            """)
    void whatCannotBeMeasuredIsRefused(String words, String why) {
        StringWriter said = new StringWriter();
        Terminal terminal = new Terminal(
                InputStream.nullInputStream(), new PrintWriter(said), new PrintWriter(said), 100, Map.of());
        CommandLine command = (CommandLine) new Benchmarks().commands(terminal).getFirst();
        // The whole command line has its own way to read --format.
        command.setErr(new PrintWriter(said)).setCaseInsensitiveEnumValuesAllowed(true);

        int exitCode = command.execute(words.split(" "));

        assertThat(exitCode).isEqualTo(2);
        assertThat(said.toString()).contains(why).doesNotContain("secret");
    }
}
