package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueSendTest {
    private static final int MOST_BYTES = 128 * 1024;

    private String store = "";

    @BeforeEach
    void createQueue(@TempDir Path folder) {
        store = "jdbc:sqlite:" + folder.resolve("app.db");
        assertThat(Invocation.of("queue", "create", "mail", "--store", store).exitCode())
                .isZero();
    }

    private Invocation send(String... args) {
        return fed(InputStream.nullInputStream(), args);
    }

    private Invocation fed(String input, String... args) {
        return fed(bytes(input), args);
    }

    private Invocation fed(InputStream input, String... args) {
        List<String> all = new ArrayList<>(List.of("queue", "send", "mail", "--store", store));
        all.addAll(List.of(args));
        return Invocation.fed(input, all.toArray(String[]::new));
    }

    private long ready() {
        String listed = Invocation.of("queue", "list", "--store", store).out();
        return Long.parseLong(listed.lines()
                .filter(line -> line.startsWith("mail "))
                .findFirst()
                .orElseThrow()
                .split(" +", 3)[1]
                .replace(",", ""));
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static InputStream latin(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** What reading a folder is like. */
    private static InputStream unreadable() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("Is a directory");
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                return read();
            }
        };
    }

    private static void assertFails(Invocation invocation, int exitCode, String start) {
        assertThat(invocation.err()).startsWith(start).hasLineCount(1);
        assertThat(invocation.exitCode()).isEqualTo(exitCode);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1,\"a\":2}", "{\"a\":1}{\"b\":2}", "[1,", "\"open", "12 13", ""})
    void whatBeginsLikeJsonIsAnsweredWithTheParsersReason(String body) {
        Invocation sent = send(body);

        assertFails(sent, 2, "PD-004 ");
        assertThat(sent.err()).doesNotContain("mind the quotes");
    }

    @Test
    void theParsersReasonIsKept() {
        assertThat(send("{\"a\":1,\"a\":2}").err())
                .containsIgnoringCase("duplicate")
                .contains("\"a\"");
        assertThat(send("{\"a\":1}{\"b\":2}").err()).contains("There is more after the first value.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello", "{to: a@b.c}", "nullable"})
    void whatLostItsQuotesToTheShellIsToldSo(String body) {
        assertFails(send(body), 2, "PD-004 The body is not JSON; mind the quotes ");
    }

    @Test
    void inputThatIsNotUtf8IsRefusedAndNotChanged() {
        assertFails(fed(latin("\"caf\u00E9\""), "-"), 2, "PD-004 Standard input is not UTF-8: byte 5 is wrong. ");
        assertFails(fed(latin("caf\u00E9"), "-", "--text"), 2, "PD-004 Standard input is not UTF-8: ");
        assertFails(
                fed(latin("1\n\n\"\u00E9\"\n"), "--lines"),
                1,
                "PD-004 Line 3 cannot be sent; the message before it was sent. The line is not UTF-8: byte 2 is wrong. ");
        assertThat(ready()).isEqualTo(1);
    }

    @Test
    void theLargestBodyFitsAndOneByteMoreDoesNot() {
        String largest = "\"" + "x".repeat(MOST_BYTES - 2) + "\"";

        assertThat(fed(largest + "\n", "-").exitCode()).isZero();
        assertThat(fed(largest + "\n", "--lines").exitCode()).isZero();
        assertFails(fed("1" + largest, "-"), 2, "PD-003 Standard input has more than 131,072 bytes");
        assertFails(
                fed("1" + largest, "--lines"),
                2,
                "PD-003 Line 1 cannot be sent; nothing was sent. The line has more than 131,072 bytes");
    }

    @Test
    void inputWithoutAnEndIsNotReadToItsEnd() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return 'x';
            }

            @Override
            public int read(byte[] bytes, int from, int length) {
                Arrays.fill(bytes, from, from + length, (byte) 'x');
                return length;
            }
        };

        assertFails(fed(endless, "-"), 2, "PD-003 ");
        assertFails(fed(endless, "--lines"), 2, "PD-003 ");
    }

    @Test
    void inputThatCannotBeReadIsWrongUsage() {
        assertFails(fed(unreadable(), "-"), 2, "PD-901 Standard input cannot be read: Is a directory. ");
        assertFails(fed(unreadable(), "--lines"), 2, "PD-901 Line 1 cannot be sent; nothing was sent. Standard input ");
    }

    @Test
    void programsReadHowManyWereSentWhereTheRestWasNot() {
        Invocation sent = fed(new SequenceInputStream(bytes("1\n2\n"), unreadable()), "--lines", "--format", "json");

        assertFails(sent, 1, "PD-901 Line 3 cannot be sent; the 2 messages before it were sent. ");
        assertThat(sent.out().replaceAll("\\s", "")).isEqualTo("{\"sent\":2}");
        assertThat(ready()).isEqualTo(2);
    }

    @Test
    void everyLineThatIsAMessageGoesThroughWhateverItsHeadersTake() {
        String header = "h=" + "v".repeat(60_000);
        String line = "\"" + "x".repeat(MOST_BYTES - 60_001 - 2) + "\"\n";

        assertThat(fed(line.repeat(5) + "1\n".repeat(250), "--lines", "--header", header)
                        .err())
                .isEmpty();
        assertThat(ready()).isEqualTo(255);
        assertFails(
                fed(line.replaceFirst("\"", "\"x"), "--lines", "--header", header),
                2,
                "PD-003 Line 1 cannot be sent; nothing was sent. Beside its headers, the body has ");
    }

    @Test
    void linesEndAsFilesOfAnySystemEndThem() {
        assertThat(fed("1\r\n2\r3\n\r\n4", "--lines").out().strip()).isEqualTo("Sent 4 messages to mail.");
    }

    @Test
    void aHeaderHasANameAndAValue() {
        assertFails(send("1", "--header", "=v"), 2, "PD-901 Value for option '--header' has no NAME before the =.");
        assertFails(send("1", "--header", "v"), 2, "PD-901 Value for option '--header' ");
        assertThat(send("1", "--header", "n=").exitCode()).isZero();
    }
}
