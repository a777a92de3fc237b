package io.perdure.sdk.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureTest {
    @Test
    void causesThatLieTooDeepAreLeftOutHoweverTheChainWasMade() {
        Failure chain = new Failure("root", "", null);
        for (int i = 0; i < 300; i++) {
            chain = new Failure("cause", "", chain);
        }

        assertThat(EventJson.read(EventJson.write(new Event.RunFailed(chain)))).isEqualTo(new Event.RunFailed(chain));
        assertThat(depth(chain)).isEqualTo(16);
        assertThat(depth(Failure.of(new RuntimeException(new RuntimeException()))))
                .isEqualTo(1);
    }

    @Test
    void longTextsAreCutAtAWholeCharacter() {
        assertThat(new Failure("t", "x".repeat(16_384), null).message())
                .hasSize(16_384)
                .endsWith("x");
        assertThat(new Failure("t", "x".repeat(16_385), null).message())
                .hasSize(16_384)
                .endsWith("x…");
        assertThat(new Failure("t", "😀".repeat(10_000), null).message())
                .hasSize(16_383)
                .endsWith("😀…");
    }

    private static StackTraceElement frame(String type, String method, int line) {
        return new StackTraceElement(type, method, type.substring(type.lastIndexOf('.') + 1) + ".java", line);
    }

    private static <T extends Throwable> T thrownAt(T thrown, StackTraceElement... frames) {
        thrown.setStackTrace(frames);
        return thrown;
    }

    private static String printed(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        return text.toString().replace(System.lineSeparator(), "\n");
    }

    private static String trace(Throwable thrown) {
        return Objects.requireNonNull(Failure.of(thrown).stackTrace());
    }

    @Test
    void stackTrace_foldsPerduresFramesBelowTheUsersCode() {
        Throwable thrown = thrownAt(
                new IllegalStateException("no"),
                frame("com.acme.Bank", "pay", 7),
                frame("io.perdure.sdk.worker.Guard", "inStep", 1),
                frame("java.util.Optional", "map", 2),
                frame("io.perdure.sdk.worker.Replay", "step", 3),
                frame("io.perdure.sdk.workflow.WorkflowContext", "step", 4),
                frame("com.acme.Order", "lambda$new$0", 8),
                frame("io.perdure.sdk.worker.Replayer", "play", 5),
                frame("io.perdure.sdk.worker.Turn", "run", 6),
                frame("java.lang.Thread", "run", 9));

        assertThat(trace(thrown)).isEqualTo("""
                java.lang.IllegalStateException: no
                \tat com.acme.Bank.pay(Bank.java:7)
                \t... 4 frames of Perdure
                \tat com.acme.Order.lambda$new$0(Order.java:8)
                \t... 3 frames of Perdure
                """);
    }

    @Test
    void stackTrace_keepsPerduresFramesAboveTheUsersCode() {
        Throwable thrown = thrownAt(
                new IllegalStateException("no"),
                frame("io.perdure.sdk.worker.Replay", "step", 3),
                frame("com.acme.Order", "run", 8),
                frame("io.perdure.sdk.worker.Replayer", "play", 5),
                frame("com.acme.Pool", "execute", 9));

        assertThat(trace(thrown)).isEqualTo("""
                java.lang.IllegalStateException: no
                \tat io.perdure.sdk.worker.Replay.step(Replay.java:3)
                \tat com.acme.Order.run(Order.java:8)
                \t... 1 frame of Perdure
                \tat com.acme.Pool.execute(Pool.java:9)
                """);
    }

    @Test
    void exception_ofARecordedFailure_printsAsTheErrorDid() {
        StackTraceElement shared = frame("com.acme.Main", "main", 1);
        Exception inner = thrownAt(new IllegalStateException("inner"), frame("com.acme.Line", "send", 4), shared);
        Exception closing = thrownAt(new IOException(), frame("com.acme.Line", "close", 5), shared);
        closing.initCause(thrownAt(new IllegalArgumentException("deep: er"), frame("com.acme.Socket", "close", 6)));
        IOException asking = thrownAt(new IOException("x", inner), frame("com.acme.Bank", "ask", 8), shared);
        Exception thrown = thrownAt(
                new UncheckedIOException("outer", asking),
                frame("com.acme.Bank", "pay", 7),
                new StackTraceElement("com.acme.Native", "call", "Native.java", -2),
                new StackTraceElement("com.acme.Hidden$$Lambda/0x00007f", "run", null, -1),
                shared);
        thrown.addSuppressed(closing);
        Failure failure = Failure.read(Failure.of(thrown).json());

        RecordedException shown = RecordedException.of(failure);

        assertThat(failure.stackTrace()).isEqualTo(printed(thrown));
        assertThat(printed(shown)).isEqualTo(printed(thrown).replaceAll("\t+\\.\\.\\. \\d+ more\n", ""));
        assertThat(shown.getStackTrace()[0]).isEqualTo(frame("com.acme.Bank", "pay", 7));
        assertThat(shown.type()).isEqualTo("java.io.UncheckedIOException");
        assertThat(shown.said()).isEqualTo("outer");
        assertThat(Failure.of(shown).withoutStackTrace()).isEqualTo(failure.withoutStackTrace());
        assertThat(printed(RecordedException.withoutMessages(failure)))
                .startsWith("java.io.UncheckedIOException\n\tat com.acme.Bank.pay(Bank.java:7)\n")
                .contains("\nCaused by: java.io.IOException\n", "\tSuppressed: java.io.IOException\n")
                .doesNotContain("outer", "inner", "deep");
    }

    @Test
    void exception_ofAFailureThatAnOlderReleaseRecorded_hasItsCausesAndNoFrames() {
        Failure old = Failure.read(
                Json.of("{\"type\":\"a.B\",\"message\":\"b\",\"cause\":{\"type\":\"c.D\",\"message\":\"\"}}"));

        assertThat(old.stackTrace()).isNull();
        assertThat(printed(RecordedException.of(old))).isEqualTo("a.B: b\nCaused by: c.D\n");
        assertThat(old.json().text()).doesNotContain("stackTrace");
    }

    @Test
    void read_ofAFailureThatANewerReleaseWrote_ignoresWhatItDoesNotKnow() {
        assertThat(Failure.read(Json.of("{\"type\":\"a.B\",\"message\":\"b\",\"later\":[1],\"stackTrace\":null}")))
                .isEqualTo(new Failure("a.B", "b", null));
    }

    @Test
    void stackTrace_thatIsTooLong_keepsTheFirstAndLastFramesOfEachError() {
        StackTraceElement[] frames = IntStream.range(0, 1_000)
                .mapToObj(line -> frame("com.acme.Deep", "call", line))
                .toArray(StackTraceElement[]::new);
        StackTraceElement[] others = IntStream.range(0, 1_000)
                .mapToObj(line -> frame("com.acme.Cause", "call", line))
                .toArray(StackTraceElement[]::new);
        Throwable thrown =
                thrownAt(new IllegalStateException("top", thrownAt(new IllegalStateException("root"), others)), frames);

        assertThat(trace(thrown))
                .startsWith("java.lang.IllegalStateException: top\n\tat com.acme.Deep.call(Deep.java:0)\n")
                .contains("\tat com.acme.Deep.call(Deep.java:999)\nCaused by: java.lang.IllegalStateException: root\n")
                .contains("Caused by: java.lang.IllegalStateException: root\n\tat com.acme.Cause.call(Cause.java:0)\n")
                .endsWith("\tat com.acme.Cause.call(Cause.java:999)\n")
                .containsPattern("\t\\.\\.\\. \\d{3} frames left out\n");
        assertThat(trace(thrown).length()).isBetween(8 * 1024 - 200, 8 * 1024);
        assertThat(Objects.requireNonNull(Failure.of(thrown, 1024).stackTrace()).length())
                .isBetween(800, 1024);
    }

    @Test
    void stackTrace_thatComesFromElsewhere_isCutToTheLimitAtTheEndOfALine() {
        Failure failure = new Failure("a.B", "", null, "a.B\n" + "\tat ü.C.d(C.java:1)\n".repeat(100_000));

        assertThat(failure.stackTrace()).endsWith(")\n... the rest was left out\n");
        assertThat(Objects.requireNonNull(failure.stackTrace()).getBytes(StandardCharsets.UTF_8).length)
                .isBetween(8 * 1024 - 50, 8 * 1024);
        assertThat(Failure.read(failure.json())).isEqualTo(failure);
        assertThat(new Failure("a.B", "", failure).cause()).isEqualTo(new Failure("a.B", "", null));
        assertThat(RecordedException.of(failure).getStackTrace()[0].getClassName())
                .isEqualTo("ü.C");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\n",
                "\t\tat a.b(c)",
                "x\n\t\t\tat a.b(c)\n",
                "x\n\tat ()",
                "x\n\tat a.b(c.java:99999999999)",
                "x\n\t\tSuppressed: y\n\t\t\tCaused by: z\n\t\t\t\tat",
                "x\n\tat )(",
                "Caused by: x\nCaused by: y\nSuppressed: z"
            })
    void exception_ofAStackTraceThatIsNone_isMadeAllTheSame(String trace) {
        assertThat(RecordedException.of(new Failure("a.B", "c", null, trace))).hasToString("a.B: c");
    }

    private static int depth(Failure failure) {
        Failure cause = failure.cause();
        return cause == null ? 0 : 1 + depth(cause);
    }
}
