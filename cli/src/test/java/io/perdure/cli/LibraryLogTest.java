package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RecordedException;
import io.perdure.sdk.logging.LogKey;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a server says of itself to whoever looks after it. */
class LibraryLogTest {
    private static final String TIME = "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{3})?Z ";

    private final StringWriter said = new StringWriter();
    private final System.Logger ours = System.getLogger("io.perdure.server.http");

    @BeforeEach
    void show() {
        show(LogOptions.DEFAULTS);
    }

    private void show(LogOptions options) {
        LibraryLog.show(options, new PrintWriter(said));
    }

    @AfterEach
    void drop() {
        LibraryLog.drop();
    }

    @Test
    void aWarningIsALine() {
        ours.log(Level.WARNING, "The store cannot be reached.");

        assertThat(said.toString())
                .matches(TIME + "WARN io\\.perdure\\.server\\.http: The store cannot be reached\\.\\R");
    }

    @Test
    void aFaultComesWithItsCausesInOneLine() {
        Exception cause = new IllegalArgumentException("first\n\tline \u001b[31m");
        ours.log(Level.ERROR, "A request could not be answered.", new IllegalStateException("no", cause));

        assertThat(said.toString())
                .hasLineCount(1)
                .containsPattern(TIME + "ERROR io\\.perdure\\.server\\.http: A request could not be answered\\. ")
                .contains(" java.lang.IllegalStateException: no at io.perdure.cli.LibraryLogTest.")
                .contains(" Because of java.lang.IllegalArgumentException: first\\n\\tline \\u001b[31m at ");
    }

    @Test
    void anErrorOfOursSaysItself() {
        ours.log(Level.WARNING, "Sweeping failed.", new StoreException(ErrorCode.STORE_FULL, "The disk is full."));

        assertThat(said.toString())
                .hasLineCount(1)
                .contains(": Sweeping failed. PD-204 The disk is full. ")
                .doesNotContain("StoreException");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.perdure.core.workflow",
                "io.helidon.webserver",
                "com.zaxxer.hikari.pool",
                "io.opentelemetry.sdk.common.internal.ThrottlingLogger"
            })
    void whatIsNoWarningIsNotShown(String library) {
        show(LogOptions.DEFAULTS.threshold(LogOptions.Threshold.WARN));
        System.Logger log = System.getLogger(library);
        log.log(Level.INFO, "Started all channels.");
        assertThat(said.toString()).isEmpty();

        log.log(Level.WARNING, "Parameter {0}.", 7);
        assertThat(said.toString()).contains(" " + library + ": Parameter 7.").hasLineCount(1);
    }

    @Test
    void eachCommandDecidesAnew() {
        show(LogOptions.DEFAULTS);
        ours.log(Level.WARNING, "Once.");
        assertThat(said.toString()).hasLineCount(1);

        Invocation.of("version");
        ours.log(Level.ERROR, "Dropped.");
        assertThat(said.toString()).hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.helidon.webserver", "org.postgresql.Driver", "com.zaxxer.hikari.pool"})
    void ofOtherLibrariesThereAreOnlyWarningsHoweverMuchIsAskedFor(String library) {
        show(LogOptions.DEFAULTS.threshold(LogOptions.Threshold.DEBUG));
        System.getLogger(library).log(Level.DEBUG, "Authorization: Bearer secret");
        System.getLogger(library).log(Level.INFO, "Started.");
        assertThat(said.toString()).isEmpty();

        ours.log(Level.DEBUG, "Ours.");
        assertThat(said.toString()).contains(" DEBUG io.perdure.server.http: Ours.");
    }

    @Test
    void aLineSaysWhoseItIs() {
        MDC.put(LogKey.RUN.key(), "r-1");
        MDC.put(LogKey.TENANT.key(), "a\nb");
        try {
            ours.log(Level.INFO, "Here.");
        } finally {
            MDC.clear();
        }
        assertThat(said.toString())
                .matches(TIME + "INFO io\\.perdure\\.server\\.http \\{run=r-1, tenant=a\\\\nb\\}: Here\\.\\R");
    }

    @Test
    void programsReadAnObjectALine() {
        show(LogOptions.DEFAULTS.format(LogOptions.Format.JSON));
        MDC.put(LogKey.STEP.key(), "charge");
        try {
            ours.log(Level.WARNING, "Two\nlines \"quoted\" \u2028", new IllegalStateException("a\\b"));
        } finally {
            MDC.clear();
        }
        ours.log(Level.INFO, "No error.");

        List<String> lines = said.toString().lines().toList();
        assertThat(lines).hasSize(2);
        JsonNode first = JsonMapper.shared().readTree(lines.getFirst());
        assertThat(first.propertyNames())
                .containsExactly("time", "level", "logger", "thread", "message", "step", "error");
        assertThat(first.get("time").asString()).matches("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{3,6})?Z");
        assertThat(first.get("level").asString()).isEqualTo("WARN");
        assertThat(first.get("logger").asString()).isEqualTo("io.perdure.server.http");
        assertThat(first.get("thread").asString())
                .isEqualTo(Thread.currentThread().getName());
        assertThat(first.get("message").asString()).isEqualTo("Two\nlines \"quoted\" \u2028");
        assertThat(first.get("step").asString()).isEqualTo("charge");
        assertThat(first.get("error").get("class").asString()).isEqualTo("java.lang.IllegalStateException");
        assertThat(first.get("error").get("message").asString()).isEqualTo("a\\b");
        assertThat(first.get("error").get("stack").asString())
                .startsWith("java.lang.IllegalStateException: a\\b\n\tat " + LibraryLogTest.class.getName());
        assertThat(JsonMapper.shared().readTree(lines.get(1)).propertyNames())
                .containsExactly("time", "level", "logger", "thread", "message");
    }

    @Test
    void line_aboutARecordedError_showsTheClassThatItHadInTheWorker() {
        show(LogOptions.DEFAULTS.format(LogOptions.Format.JSON));
        Failure failure = new Failure(
                "com.acme.Declined", "no", null, "com.acme.Declined: no\n\tat com.acme.Bank.pay(Bank.java:7)\n");
        ours.log(Level.WARNING, "It failed.", RecordedException.of(failure));

        JsonNode error = JsonMapper.shared().readTree(said.toString()).get("error");
        assertThat(error.get("class").asString()).isEqualTo("com.acme.Declined");
        assertThat(error.get("message").asString()).isEqualTo("no");
        assertThat(error.get("stack").asString())
                .isEqualToNormalizingNewlines("com.acme.Declined: no\n\tat com.acme.Bank.pay(Bank.java:7)\n");
    }

    @Test
    void whatALibraryLogsThatNobodyHasHeardOfIsALineToo() {
        show(LogOptions.DEFAULTS.format(LogOptions.Format.JSON));
        System.Logger unknown = System.getLogger("org.example.unknown");
        unknown.log(Level.INFO, "Not worth a line.");
        unknown.log(Level.WARNING, "A line.");

        JsonNode line = JsonMapper.shared().readTree(said.toString());
        assertThat(said.toString()).hasLineCount(1);
        assertThat(line.get("logger").asString()).isEqualTo("org.example.unknown");
        assertThat(line.get("message").asString()).isEqualTo("A line.");
    }

    @Test
    void onlyOurLinesAreWrittenWhileTheyAreAndJavasAfterwards() {
        show(LogOptions.DEFAULTS);
        assertThat(Logger.getLogger("").getHandlers()).hasSize(1).doesNotHaveAnyElementsOfTypes(ConsoleHandler.class);

        LibraryLog.showAll();
        LibraryLog.showAll();
        assertThat(Logger.getLogger("").getHandlers())
                .doesNotHaveDuplicates()
                .hasAtLeastOneElementOfType(ConsoleHandler.class);
        assertThat(Thread.getDefaultUncaughtExceptionHandler()).isNull();
    }

    @Test
    void anErrorThatEndsAThreadIsALine() throws InterruptedException {
        show(LogOptions.DEFAULTS.format(LogOptions.Format.JSON));
        Thread thread = Thread.ofPlatform().name("doomed").start(() -> {
            throw new LinkageError("planted");
        });
        thread.join();

        JsonNode line = JsonMapper.shared().readTree(said.toString());
        assertThat(said.toString()).hasLineCount(1);
        assertThat(line.get("level").asString()).isEqualTo("ERROR");
        assertThat(line.get("thread").asString()).isEqualTo("doomed");
        assertThat(line.get("message").asString()).isEqualTo("A thread ended by an error that nobody caught.");
        assertThat(line.get("error").get("class").asString()).isEqualTo("java.lang.LinkageError");
    }

    @Test
    void aStackIsSetInSoThatNoneOfItsLinesLooksLikeOneOfTheLog() {
        show(LogOptions.DEFAULTS.stacks(true));
        ours.log(Level.ERROR, "Broken.", new IllegalStateException("no\n2026-01-01T00:00:00Z INFO forged: \u001b[2J"));

        List<String> lines = said.toString().lines().toList();
        assertThat(lines).hasSizeGreaterThan(3);
        assertThat(lines.subList(1, lines.size())).allMatch(line -> line.startsWith("    "));
        assertThat(said.toString()).doesNotContain("\u001b");
    }
}
