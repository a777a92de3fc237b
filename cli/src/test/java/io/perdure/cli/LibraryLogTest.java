package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server says of itself to whoever looks after it. */
class LibraryLogTest {
    private static final String TIME = "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{3})?Z ";

    private final StringWriter said = new StringWriter();
    private final System.Logger ours = System.getLogger("io.perdure.server.http");

    @BeforeEach
    void show() {
        LibraryLog.showWarnings(new PrintWriter(said));
    }

    @AfterEach
    void drop() {
        LibraryLog.drop();
    }

    @Test
    void aWarningIsALine() {
        ours.log(Level.WARNING, "The store cannot be reached.");

        assertThat(said.toString())
                .matches(TIME + "WARNING io\\.perdure\\.server\\.http: The store cannot be reached\\.\\R");
    }

    @Test
    void aFaultComesWithItsCausesInOneLine() {
        Exception cause = new IllegalArgumentException("first\n\tline \u001b[31m");
        ours.log(Level.ERROR, "A request could not be answered.", new IllegalStateException("no", cause));

        assertThat(said.toString())
                .hasLineCount(1)
                .containsPattern(TIME + "ERROR io\\.perdure\\.server\\.http: A request could not be answered\\. ")
                .contains(" java.lang.IllegalStateException: no at io.perdure.cli.LibraryLogTest.")
                .contains(" Because of java.lang.IllegalArgumentException: first line \uFFFD[31m at ");
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
    @ValueSource(strings = {"io.perdure.core.workflow", "io.helidon.webserver", "com.zaxxer.hikari.pool"})
    void whatIsNoWarningIsNotShown(String library) {
        System.Logger log = System.getLogger(library);
        log.log(Level.INFO, "Started all channels.");
        assertThat(said.toString()).isEmpty();

        log.log(Level.WARNING, "Parameter {0}.", 7);
        assertThat(said.toString()).contains(" " + library + ": Parameter 7.").hasLineCount(1);
    }

    @Test
    void eachCommandDecidesAnew() {
        LibraryLog.showWarnings(new PrintWriter(said));
        ours.log(Level.WARNING, "Once.");
        assertThat(said.toString()).hasLineCount(1);

        Invocation.of("version");
        ours.log(Level.ERROR, "Dropped.");
        assertThat(said.toString()).hasLineCount(1);
    }
}
