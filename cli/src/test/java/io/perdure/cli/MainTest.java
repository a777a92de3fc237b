package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MainTest {
    private final StringWriter err = new StringWriter();

    private int run(OutputStream stdout, String... args) {
        Output out = new Output(stdout);
        Terminal terminal =
                Terminal.of(InputStream.nullInputStream(), Main.writer(out), new PrintWriter(err), Map.of());
        return Main.run(terminal, out, args);
    }

    private static OutputStream failing(String why) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(why);
            }
        };
    }

    @Test
    void outputThatCannotBeWrittenIsAFailure() {
        assertThat(run(failing("No space left on device"), "version")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("PD-904 Standard output cannot be written: No space left on device. "
                        + "The command did its work, but what it had to say is lost.")
                .hasLineCount(1);
    }

    @Test
    void aReaderThatHasSeenEnoughGetsNoError() {
        assertThat(run(failing("Broken pipe"), "limits")).isEqualTo(1);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void wrongUsageStaysWrongUsage() {
        assertThat(run(failing("No space left on device"), "vresion")).isEqualTo(2);
        assertThat(err.toString()).startsWith("PD-901 ").hasLineCount(1);
    }

    @Test
    void whatCanBeWrittenIsWrittenWhole() {
        ByteArrayOutputStream stdout = new ByteArrayOutputStream();

        assertThat(run(stdout, "limits")).isZero();
        assertThat(stdout.toString(StandardCharsets.UTF_8))
                .isEqualTo(Invocation.of("limits").out());
        assertThat(err.toString()).isEmpty();
    }
}
