package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.logging.Logs;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where a program has a provider of SLF4J's, as these tests do, what Perdure logs arrives there as it was said. */
class LoggedLinesTest {
    private final List<LogRecord> arrived = new ArrayList<>();
    private final System.Logger log = Logs.of(LoggedLinesTest.class);
    /** The provider of these tests hands everything to Java's own logging. */
    private final Logger provided = Logger.getLogger(LoggedLinesTest.class.getPackageName());

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
        provided.setUseParentHandlers(false);
        provided.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        provided.removeHandler(handler);
        provided.setUseParentHandlers(true);
    }

    @Test
    void linesGoToSlf4j() {
        assertThat(Logs.areSetUp()).isTrue();

        Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        log.log(Level.WARNING, () -> "Run 7 is parked.");

        assertThat(arrived).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(java.util.logging.Level.WARNING);
            assertThat(line.getLoggerName()).isEqualTo("io.perdure.core");
            assertThat(line.getMessage()).isEqualTo("Run 7 is parked.");
            assertThat(line.getInstant()).isAfterOrEqualTo(before);
        });
    }

    @Test
    void whatALineQuotesIsNotTakenForAPattern() {
        log.log(Level.ERROR, "{} and {0} were {said}", new IllegalStateException("because"));

        assertThat(arrived).singleElement().satisfies(line -> {
            assertThat(line.getMessage()).isEqualTo("{} and {0} were {said}");
            assertThat(line.getThrown()).hasMessage("because");
        });
    }

    @Test
    void valuesStandInTheirPlaces() {
        log.log(Level.WARNING, "run {0}: {1}", "it\'s", 7);

        assertThat(arrived)
                .singleElement()
                .satisfies(line -> assertThat(line.getMessage()).isEqualTo("run it\'s: 7"));
    }

    @Test
    void levelsAreThoseOfTheProvider() {
        provided.setLevel(java.util.logging.Level.WARNING);
        try {
            assertThat(log.isLoggable(Level.WARNING)).isTrue();
            assertThat(log.isLoggable(Level.INFO)).isFalse();
            assertThat(log.isLoggable(Level.OFF)).isFalse();
            log.log(Level.INFO, "not heard");
            assertThat(arrived).isEmpty();
        } finally {
            provided.setLevel(null);
        }
    }
}
