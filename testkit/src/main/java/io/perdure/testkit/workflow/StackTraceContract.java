package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.perdure.sdk.RunFailedException;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StepInfo;
import io.perdure.sdk.workflow.Attempt;
import io.perdure.sdk.workflow.Next;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Failed attempts and failed runs show where the error was thrown. */
abstract class StackTraceContract extends FlowFixture {
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final int MOST_BYTES = 8 * 1024;

    /** The number of stack traces of up to 8 KiB after which a run records shorter ones. */
    private static final int FULL = 128;

    private static final int MANY = FULL + 12;

    /** More frames than a stack trace of 8 KiB holds. */
    private static final int DEPTH = 200;

    private static final String HERE = "\tat " + StackTraceContract.class.getName() + ".";

    StackTraceContract(Opening opening) {
        super(opening);
    }

    /** The recorded stack trace, as it is stored; empty if there is none. */
    private static String recorded(@Nullable Failure failure) {
        JsonObject json = JsonObject.parse(Objects.requireNonNull(failure).json());
        return json.has("stackTrace") ? json.string("stackTrace") : "";
    }

    private static List<String> recorded(Run<?> run) {
        return events(run, Event.StepFailed.class).stream()
                .map(failed -> recorded(failed.reason()))
                .toList();
    }

    private static String printed(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        return text.toString().replace(System.lineSeparator(), "\n");
    }

    private static Throwable causeOfResult(Run<?> run) {
        Throwable thrown = catchThrowable(() -> run.result(PATIENCE));
        assertThat(thrown).isInstanceOf(RunFailedException.class).hasMessageContaining("PD-310");
        return Objects.requireNonNull(thrown.getCause(), "the cause of what result() throws");
    }

    private static IOException unreachable(int attempt) {
        return new IOException("attempt " + attempt, new IllegalStateException("no route"));
    }

    @Test
    final void history_afterFailedAttempts_hasTheStackTraceOfEach() {
        Run<Integer> run = started(
                Integer.class,
                (ctx, _) -> ctx.step(
                        "call",
                        Integer.class,
                        () -> {
                            if (ctx.attempt().number() < 3) {
                                throw unreachable(ctx.attempt().number());
                            }
                            return ctx.attempt().number();
                        },
                        Retry.fixed(3, SHORT)));

        assertThat(run.result(PATIENCE)).isEqualTo(3);
        assertThat(recorded(run))
                .hasSize(2)
                .allSatisfy(trace -> assertThat(trace)
                        .contains(
                                HERE + "unreachable(StackTraceContract.java:",
                                "\nCaused by: java.lang.IllegalStateException: no route\n")
                        .containsPattern("\\.\\.\\. \\d+ frames of Perdure")
                        .doesNotContain("io.perdure.sdk.worker"));
        assertThat(recorded(run).getFirst()).startsWith("java.io.IOException: attempt 1\n" + HERE);
        assertThat(recorded(run).getLast()).startsWith("java.io.IOException: attempt 2\n" + HERE);
    }

    @Test
    final void result_ofAFailedRun_hasTheRecordedErrorAsItsCause() {
        Run<Integer> run = started(
                Integer.class,
                (ctx, _) -> ctx.step(
                        "call",
                        Integer.class,
                        () -> {
                            throw unreachable(1);
                        },
                        Retry.fixed(1, SHORT)));

        assertShowsTheError(causeOfResult(run));
        assertShowsTheError(causeOfResult(perdure.run(run.id())));
        try (Engine other = another()) {
            assertShowsTheError(causeOfResult(other.run(run.id())));
        }
        assertThat(recorded(run.info().error())).contains(HERE + "unreachable(StackTraceContract.java:");
        assertThat(run.steps().stream().map(StepInfo::failure).map(StackTraceContract::recorded))
                .containsExactlyElementsOf(recorded(run));
    }

    private static void assertShowsTheError(Throwable cause) {
        assertThat(cause).hasToString("java.io.IOException: attempt 1");
        assertThat(cause.getCause()).hasToString("java.lang.IllegalStateException: no route");
        assertThat(cause.getStackTrace()[0])
                .returns(StackTraceContract.class.getName(), StackTraceElement::getClassName)
                .returns("unreachable", StackTraceElement::getMethodName)
                .returns("StackTraceContract.java", StackTraceElement::getFileName)
                .satisfies(frame -> assertThat(frame.getLineNumber()).isPositive());
        assertThat(printed(cause))
                .startsWith("java.io.IOException: attempt 1\n" + HERE + "unreachable(StackTraceContract.java:")
                .contains("\nCaused by: java.lang.IllegalStateException: no route\n");
    }

    @Test
    final void result_ofAFailedStepFlow_hasTheRecordedErrorAsItsCause() {
        Run<Json> run = started(flow().maxAttempts(2).step("start", ctx -> {
            throw unreachable(ctx.attempt().number());
        }));

        Throwable cause = causeOfResult(run);
        assertThat(cause).hasToString("java.io.IOException: attempt 2");
        assertThat(cause.getStackTrace()[0].getMethodName()).isEqualTo("unreachable");
        assertThat(recorded(run))
                .hasSize(2)
                .allSatisfy(trace -> assertThat(trace)
                        .contains(HERE + "unreachable(StackTraceContract.java:")
                        .containsPattern("\\.\\.\\. \\d+ frames of Perdure")
                        .doesNotContain("io.perdure.sdk.worker"));
    }

    @Test
    final void result_ofACodeThatThrewOutsideItsSteps_hasTheRecordedErrorAsItsCause() {
        Run<String> run = started(String.class, (_, _) -> {
            throw unreachable(1);
        });

        assertShowsTheError(causeOfResult(run));
    }

    @Test
    final void history_ofAnAttemptThatTookTooLong_showsWhereItHung() {
        Run<Integer> code = started(
                Integer.class,
                (ctx, _) -> ctx.step(
                        "slow",
                        Integer.class,
                        () -> ctx.attempt().number() == 1 ? hang() : 2,
                        Retry.fixed(2, SHORT).timeout(Duration.ofMillis(50))));
        assertThat(code.result(PATIENCE)).isEqualTo(2);
        assertShowsWhereItHung(recorded(code));
    }

    @Test
    final void history_ofAStepFlowsAttemptThatTookTooLong_showsWhereItHung() {
        Run<Json> flow = started(flow().stepTimeout(Duration.ofMillis(50))
                .step("start", ctx -> Next.done(ctx.attempt().number() == 1 ? hang() : 2)));
        assertThat(flow.as(Integer.class).result(PATIENCE)).isEqualTo(2);
        assertShowsWhereItHung(recorded(flow));
    }

    private static int hang() throws InterruptedException {
        new CountDownLatch(1).await();
        return 0;
    }

    private static void assertShowsWhereItHung(List<String> traces) {
        assertThat(traces)
                .singleElement()
                .satisfies(trace -> assertThat(trace)
                        .startsWith("timeout: The attempt was interrupted after PT0.05S.\n")
                        .contains(
                                "Caused by: java.lang.InterruptedException\n", HERE + "hang(StackTraceContract.java:"));
    }

    @Test
    final void history_ofAStepThatIsTriedManyTimes_keepsLessOfFurtherAttemptsAndAllOfTheLast() {
        Retry twelve = Retry.fixed(12, Duration.ofMillis(1));
        Run<String> code =
                started(String.class, (ctx, _) -> ctx.step("call", String.class, () -> DeepRecursion.fail(), twelve));
        assertKeepsLessOfFurtherAttempts(code);
    }

    @Test
    final void history_ofAStepFlowThatIsTriedManyTimes_keepsLessOfFurtherAttemptsAndAllOfTheLast() {
        assertKeepsLessOfFurtherAttempts(
                started(flow().maxAttempts(12).step("start", _ -> Next.done(DeepRecursion.fail()))));
    }

    private static void assertKeepsLessOfFurtherAttempts(Run<?> run) {
        assertThat(catchThrowable(() -> run.result(PATIENCE))).isInstanceOf(RunFailedException.class);
        List<Integer> lengths = recorded(run).stream().map(String::length).toList();
        assertThat(lengths).hasSize(12);
        assertThat(lengths.subList(0, 10)).allMatch(length -> length > MOST_BYTES / 2 && length <= MOST_BYTES);
        assertThat(lengths.get(10)).isBetween(1024 / 2, 1024);
        assertThat(lengths.getLast()).isBetween(MOST_BYTES / 2, MOST_BYTES);
        assertThat(recorded(run.info().error())).isEqualTo(recorded(run).getLast());
    }

    /** Fails each step once; the last step fails the run. The run changes its turn at one of the last steps. */
    @Test
    final void history_ofARunWithManyFailedSteps_keepsLessOfFurtherStepsAndAllOfTheLast() {
        Duration longDelay = Duration.ofMillis(300);
        Run<Integer> run = started(Integer.class, (ctx, _) -> {
            for (int at = 1; at < MANY; at++) {
                Retry retry = Retry.fixed(2, at == MANY - 5 ? longDelay : Duration.ofMillis(1));
                ctx.step("charge-" + at, Integer.class, () -> failAtFirst(ctx.attempt()), retry);
            }
            return ctx.step("charge-" + MANY, Integer.class, () -> fail(DEPTH), Retry.never());
        });

        assertKeepsLessOfFurtherSteps(run);
    }

    @Test
    final void history_ofAStepFlowWithManyFailedSteps_keepsLessOfFurtherStepsAndAllOfTheLast() {
        Run<Json> run = started(flow().maxAttempts(2).step("start", ctx -> {
            int at = ctx.find("at", Integer.class).orElse(1);
            if (at == MANY) {
                fail(DEPTH);
            }
            ctx.put("at", at + 1);
            failAtFirst(ctx.attempt());
            return Next.step("start");
        }));

        assertKeepsLessOfFurtherSteps(run);
    }

    private static int failAtFirst(Attempt attempt) {
        return attempt.number() == 1 ? fail(DEPTH) : attempt.number();
    }

    private static int fail(int depth) {
        if (depth > 0) {
            return 1 + fail(depth - 1);
        }
        throw new IllegalStateException("declined");
    }

    private static void assertKeepsLessOfFurtherSteps(Run<?> run) {
        assertThat(causeOfResult(run)).hasToString("java.lang.IllegalStateException: declined");
        List<Integer> lengths = recorded(run).stream().map(String::length).toList();
        assertThat(lengths).hasSizeGreaterThanOrEqualTo(MANY);
        assertThat(lengths.subList(0, FULL)).allMatch(length -> length > MOST_BYTES / 2 && length <= MOST_BYTES);
        assertThat(lengths.subList(FULL + 4, MANY - 1)).allMatch(length -> length > 512 && length <= 1024);
        assertThat(lengths.getLast()).isBetween(MOST_BYTES / 2, MOST_BYTES);
    }

    /** Each is thrown, recorded within its bounds, and tried again as the policy says. */
    @Test
    final void anErrorThatIsHardToDescribe_isRecordedAndTriedAgain() {
        Exception cycle = new IllegalStateException("a");
        cycle.initCause(new IllegalArgumentException("b", cycle));
        List<Throwable> errors = List.of(
                cycle,
                new IOException(
                        "x".repeat(1_000_000) + "\n\u0000\u001b[31m\ud800\n\tat forged.Frame.of(Forged.java:1)"),
                new DeepRecursion(100_000),
                new WithoutStackTrace(),
                new Hostile(false),
                new Hostile(true));
        AtomicInteger thrown = new AtomicInteger();
        Run<String> run = started(
                String.class,
                (ctx, _) -> ctx.step(
                        "throws",
                        String.class,
                        () -> {
                            int next = thrown.getAndIncrement();
                            if (next == errors.size()) {
                                return "done";
                            }
                            switch (errors.get(next)) {
                                case DeepRecursion deep -> throw new IllegalStateException("wraps", deep.error());
                                case Exception e -> throw e;
                                case Throwable e -> throw new IllegalStateException(e);
                            }
                        },
                        Retry.fixed(errors.size() + 1, Duration.ofMillis(1))));

        assertThat(run.result(PATIENCE)).isEqualTo("done");
        List<String> traces = recorded(run);
        assertThat(traces)
                .hasSize(errors.size())
                .allSatisfy(trace -> assertThat(trace.getBytes(StandardCharsets.UTF_8).length)
                        .isLessThanOrEqualTo(MOST_BYTES));
        assertThat(traces.get(0)).contains("CIRCULAR REFERENCE: java.lang.IllegalStateException: a");
        assertThat(traces.get(1).lines()).noneMatch(line -> line.startsWith("\tat forged."));
        assertThat(traces.get(1)).startsWith("java.io.IOException: xxx").doesNotContain("\u0000", "\u001b");
        assertThat(traces.get(2))
                .startsWith("java.lang.IllegalStateException: wraps\n")
                .contains("Caused by: java.lang.StackOverflowError\n")
                .containsPattern("\\.\\.\\. \\d+ frames left out");
        assertThat(traces.get(3)).isEmpty();
        assertThat(traces.get(4)).contains("its message threw java.lang.UnsupportedOperationException: no message");
        assertThat(traces.get(5))
                .contains(
                        "its message threw java.io.IOException: no message\n",
                        "\tat java.io.IOException.thrownByGetStackTrace(",
                        "\nCaused by: java.io.IOException: no cause\n");
    }

    /** An error that cannot say anything about itself: its methods throw, also checked exceptions that they do not declare. */
    private static final class Hostile extends Exception {
        private static final long serialVersionUID = 1L;
        private final boolean checked;

        Hostile(boolean checked) {
            this.checked = checked;
        }

        @Override
        public String getMessage() {
            throw refusal("no message");
        }

        @Override
        public synchronized Throwable getCause() {
            if (checked) {
                throw refusal("no cause");
            }
            return new Hostile(false);
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw refusal("no stack trace");
        }

        private RuntimeException refusal(String what) {
            if (checked) {
                Hostile.<RuntimeException>throwUndeclared(new IOException(what));
            }
            return new UnsupportedOperationException(what);
        }

        @SuppressWarnings("unchecked") // It is RuntimeException to the compiler only.
        private static <T extends Throwable> void throwUndeclared(Throwable thrown) throws T {
            throw (T) thrown;
        }
    }

    /** An error that knows no stack. */
    private static final class WithoutStackTrace extends Exception {
        private static final long serialVersionUID = 1L;

        WithoutStackTrace() {
            super("no stack", null, false, false);
        }
    }
}
