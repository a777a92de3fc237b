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
    void stackTrace_ofACheckOfTheJdkInPerdure_keepsPerduresFramesAboveTheUsersCode() {
        Throwable thrown = thrownAt(
                new NullPointerException("no name"),
                frame("java.util.Objects", "requireNonNull", 1),
                new StackTraceElement("app", "java.base", "25", "javax.crypto.Cipher", "init", "Cipher.java", 2),
                frame("sun.security.Key", "read", 3),
                frame("io.perdure.sdk.worker.Replay", "step", 4),
                frame("com.acme.Order", "run", 8),
                frame("io.perdure.sdk.worker.Replayer", "play", 5));

        assertThat(trace(thrown)).isEqualTo("""
                java.lang.NullPointerException: no name
                \tat java.util.Objects.requireNonNull(Objects.java:1)
                \tat javax.crypto.Cipher.init(Cipher.java:2)
                \tat sun.security.Key.read(Key.java:3)
                \tat io.perdure.sdk.worker.Replay.step(Replay.java:4)
                \tat com.acme.Order.run(Order.java:8)
                \t... 1 frame of Perdure
                """);
    }

    @Test
    void stackTrace_ofALibraryWithAPackageLikeTheJdks_foldsPerduresFramesBelowIt() {
        Throwable thrown = thrownAt(
                new IllegalStateException("no"),
                frame("javax.persistence.Query", "list", 1),
                frame("io.perdure.sdk.worker.Replay", "step", 4));

        assertThat(trace(thrown)).isEqualTo("""
                java.lang.IllegalStateException: no
                \tat javax.persistence.Query.list(Query.java:1)
                \t... 1 frame of Perdure
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
        Throwable thrown = thrownAt(
                new IllegalStateException("top", thrownAt(new IllegalStateException("root"), frames("com.acme.Cause"))),
                frames("com.acme.Deep"));

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

    private static StackTraceElement[] frames(String type) {
        return IntStream.range(0, 1_000)
                .mapToObj(line -> frame(type, "call", line))
                .toArray(StackTraceElement[]::new);
    }

    private static String trace(Throwable thrown, int mostBytes) {
        String trace = Objects.requireNonNull(Failure.of(thrown, mostBytes).stackTrace());
        assertThat(trace.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(mostBytes);
        return trace;
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "é", "注", "😀"})
    void stackTrace_ofOneKibibyteWithLongMessages_hasFramesOfEachError(String letter) {
        Exception root = thrownAt(new IllegalStateException(letter.repeat(2_000)), frames("com.acme.Cause"));
        Exception thrown = thrownAt(new IllegalStateException(letter.repeat(2_000), root), frames("com.acme.Deep"));

        assertThat(trace(thrown, 1024))
                .startsWith("java.lang.IllegalStateException: " + letter.repeat(10))
                .contains(
                        "…\n\tat com.acme.Deep.call(Deep.java:0)\n\tat com.acme.Deep.call(Deep.java:1)\n",
                        "\nCaused by: java.lang.IllegalStateException: " + letter.repeat(10),
                        "…\n\tat com.acme.Cause.call(Cause.java:0)\n\tat com.acme.Cause.call(Cause.java:1)\n")
                .containsPattern("\t\\.\\.\\. \\d{3} frames left out\n");
        assertThat(Failure.of(thrown, 1024).message()).hasSize(2_000 * letter.length());
    }

    @Test
    void stackTrace_ofOneKibibyteWithManyCauses_hasFramesOfTheFirstErrors() {
        Exception thrown = new IllegalStateException("x".repeat(600));
        for (int depth = 0; depth < 16; depth++) {
            thrown = thrownAt(new IllegalStateException("x".repeat(600), thrown), frames("com.acme.Deep"));
        }

        assertThat(trace(thrown, 1024))
                .containsPattern("^java.lang.IllegalStateException: x+…\n\tat com.acme.Deep.call\\(Deep.java:0\\)\n")
                .endsWith("\n... the rest was left out\n");
    }

    @Test
    void stackTrace_ofNoBytes_isAbsent() {
        IllegalStateException thrown = new IllegalStateException("why", new IOException("root"));

        assertThat(Failure.of(thrown, 0)).isEqualTo(Failure.of(thrown).withoutStackTrace());
        assertThat(Failure.timeout("too long", thrown, 0).stackTrace()).isNull();
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
