package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.perdure.core.Perdure;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Outgoing;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineSenderTest {
    @Test
    void aStoreThatFailsInTheMiddleLeavesNoDoubtAboutTheLines(@TempDir Path folder) {
        try (Perdure perdure = Perdure.open("jdbc:sqlite:" + folder.resolve("app.db"))) {
            LineSender sender = new LineSender(perdure.createQueue("mail"), line -> Outgoing.of(Json.of(line)));
            // 100 lines fill a send, which leaves when the next line comes; then the store goes away.
            InputStream lines = new SequenceInputStream(lines(143), closing(perdure));

            UnsentLinesException stopped =
                    catchThrowableOfType(UnsentLinesException.class, () -> sender.sendAll(new Input(lines, 100)));

            assertThat(stopped)
                    .hasMessageStartingWith("PD-203 ")
                    .hasMessageContaining(" Lines 1 to 100 were sent; lines 101 to 143 were not. ")
                    .hasMessageEndingWith("\"perdure explain PD-203\" says what to do.");
            assertThat(stopped.sent()).isEqualTo(100);
            assertThat(stopped.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void whatHappenedToTheLinesIsSaidInNumbers() {
        LineSpan first = LineSpan.START.with(1).with(43);
        LineSpan second = first.sent().with(44).with(86);

        assertThat(second.atEnd().sentences(ErrorCode.STORE_FULL))
                .isEqualTo("Lines 1 to 43 were sent; lines 44 to 86 were not.");
        assertThat(second.sentences(ErrorCode.STORE_FULL))
                .isEqualTo("Lines 1 to 43 were sent; lines 44 to 86 were not. Nothing after that was sent.");
        assertThat(second.atEnd().sentences(ErrorCode.OUTCOME_UNKNOWN))
                .isEqualTo("Lines 1 to 43 were sent; nobody knows about lines 44 to 86.");
        assertThat(first.atEnd().sentences(ErrorCode.STORE_FULL)).isEqualTo("Lines 1 to 43 were not sent.");
        assertThat(first.atEnd().sentences(ErrorCode.OUTCOME_UNKNOWN)).isEqualTo("Nobody knows about lines 1 to 43.");
        assertThat(LineSpan.START.with(1).sent().with(2).atEnd().sentences(ErrorCode.STORE_FULL))
                .isEqualTo("Line 1 was sent; line 2 was not.");
    }

    private static InputStream lines(int count) {
        return new ByteArrayInputStream("1\n".repeat(count).getBytes(StandardCharsets.UTF_8));
    }

    /** Has nothing to read, and closes this when it is asked. */
    private static InputStream closing(Perdure perdure) {
        return new InputStream() {
            @Override
            public int read() {
                perdure.close();
                return -1;
            }

            @Override
            public int read(byte[] bytes, int from, int length) {
                return read();
            }
        };
    }
}
