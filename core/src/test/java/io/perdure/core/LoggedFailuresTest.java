package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RunFailedException;
import io.perdure.sdk.consumer.QueueConsumer;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is logged when a step, a run or a handler fails: where the error was thrown, but not what it says. */
class LoggedFailuresTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SECRET = "card-4711";
    private static final Pattern ABOUT_FAILURES =
            Pattern.compile(" failed at attempt | failed: | is parked\\.| failed in its delivery | is a dead letter");

    private final List<LogRecord> arrived = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger("io.perdure.sdk");
    private final Environment environment = new SystemEnvironment();
    private final Perdure perdure =
            Perdure.over(new MemoryStore(environment.clock(), Limits.defaults()), environment, OpenOptions.defaults());

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord logged) {
            arrived.add(logged);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
        // A slow machine makes workers warn of other things; the tests must not count them.
        logger.warning("The store was slow to extend leases.");
    }

    @AfterEach
    void stopListening() {
        perdure.close();
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    private static IllegalStateException declined() {
        return new IllegalStateException(SECRET, new IllegalArgumentException(SECRET));
    }

    /** Returns the warnings about failed attempts, runs and messages. */
    private List<LogRecord> warnings() {
        return arrived.stream()
                .filter(line -> line.getLevel().equals(java.util.logging.Level.WARNING))
                .filter(line -> ABOUT_FAILURES.matcher(line.getMessage()).find())
                .toList();
    }

    private static String printed(LogRecord line) {
        StringWriter text = new StringWriter();
        if (line.getThrown() != null) {
            line.getThrown().printStackTrace(new PrintWriter(text, true));
        }
        return line.getMessage() + "\n" + text.toString().replace(System.lineSeparator(), "\n");
    }

    private void assertShowTheStackTrace(List<LogRecord> lines) {
        assertThat(lines)
                .allSatisfy(line -> assertThat(printed(line))
                        .contains(
                                "\njava.lang.IllegalStateException\n\tat " + LoggedFailuresTest.class.getName()
                                        + ".declined(",
                                "\nCaused by: java.lang.IllegalArgumentException\n")
                        .doesNotContain(SECRET));
    }

    @Test
    void log_ofAFailedRun_showsTheStackTraceOfEachAttempt() {
        Workflow<String, String> charge = Workflow.named("charge")
                .run(
                        String.class,
                        String.class,
                        (ctx, _) -> ctx.step(
                                "pay",
                                String.class,
                                () -> {
                                    throw declined();
                                },
                                Retry.fixed(2, Duration.ofMillis(1))));
        perdure.register(charge).start();
        Run<String> run = perdure.start(charge, "");

        assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.result(PATIENCE));

        awaitWarnings(2);
        assertThat(warnings())
                .extracting(LogRecord::getMessage)
                .satisfiesExactly(
                        retried -> assertThat(retried)
                                .contains(
                                        "\"pay\"", run.id().toString(), "attempt 1", "java.lang.IllegalStateException"),
                        failed -> assertThat(failed)
                                .startsWith(
                                        "Run " + run.id() + " of charge@1 failed: java.lang.IllegalStateException"));
        assertShowTheStackTrace(warnings());
    }

    @Test
    void log_ofAFailedStepFlow_showsTheStackTraceOfEachAttempt() {
        StepFlow charge = StepFlow.named("charge")
                .maxAttempts(2)
                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                .step("start", _ -> {
                    throw declined();
                });
        perdure.register(charge).start();
        Run<Json> run = perdure.start(charge, "");

        assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.result(PATIENCE));

        awaitWarnings(2);
        assertThat(warnings())
                .extracting(LogRecord::getMessage)
                .satisfiesExactly(
                        retried -> assertThat(retried)
                                .contains(
                                        "\"start\"",
                                        run.id().toString(),
                                        "attempt 1",
                                        "java.lang.IllegalStateException"),
                        failed -> assertThat(failed)
                                .startsWith(
                                        "Run " + run.id() + " of charge@1 failed: java.lang.IllegalStateException"));
        assertShowTheStackTrace(warnings());
    }

    @Test
    void log_ofARunThatIsParkedForAnError_showsTheStackTrace() {
        Workflow<String, String> charge = Workflow.named("charge").run(String.class, String.class, (_, _) -> {
            throw new AssertionError(SECRET, declined());
        });
        perdure.register(charge).start();
        perdure.start(charge, "");

        awaitWarnings(1);
        assertThat(warnings())
                .singleElement()
                .satisfies(line -> assertThat(printed(line))
                        .contains(
                                " is parked. java.lang.AssertionError",
                                "\njava.lang.AssertionError\n\tat " + LoggedFailuresTest.class.getName() + ".",
                                "\nCaused by: java.lang.IllegalStateException\n\tat "
                                        + LoggedFailuresTest.class.getName() + ".declined(")
                        .doesNotContain(SECRET));
    }

    @Test
    void log_ofAFailedHandler_showsTheStackTrace() {
        perdure.createQueue("mail", QueueSettings.defaults().retries(0)).send(Json.of("{}"));
        try (QueueConsumer _ = perdure.consume("mail", _ -> {
            throw declined();
        })) {
            awaitWarnings(2);
        }

        assertThat(warnings().getFirst().getMessage())
                .contains(" failed in its delivery 1: java.lang.IllegalStateException");
        assertShowTheStackTrace(List.of(warnings().getFirst()));
        assertThat(warnings().getLast().getMessage()).contains(" is a dead letter");
    }

    /** The worker logs the failure after those who wait for the result were told. */
    private void awaitWarnings(int count) {
        ConsumerFixture.until(() -> warnings().size() >= count);
    }
}
