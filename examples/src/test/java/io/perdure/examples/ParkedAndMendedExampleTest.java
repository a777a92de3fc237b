package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParkedAndMendedExampleTest {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final Queue<LogRecord> logged = new ConcurrentLinkedQueue<>();
    private final Logger worker = Logger.getLogger("io.perdure.sdk.worker");

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        worker.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        worker.removeHandler(handler);
    }

    @Test
    void worker_whenAStepWasRenamed_warnsWhatHappenedAndWhichCommandIsNext(@TempDir Path folder) {
        ParkedAndMendedExample.tellAll("jdbc:sqlite:" + folder.resolve("app.db"));

        assertThat(logged)
                .filteredOn(line -> line.getMessage().contains("is parked"))
                .hasSize(2)
                .allSatisfy(line -> {
                    assertThat(line.getLevel()).isEqualTo(Level.WARNING);
                    assertThat(ID.matcher(line.getMessage()).replaceAll("R"))
                            .isEqualTo(
                                    "Run R of delivery@1 is parked. PD-104 Run R does not match its history at event 1:"
                                            + " recorded step \"reserve\", the code asked for step \"pick\"."
                                            + " The code changed while the run was in flight."
                                            + " Register the changed code as a new version, or put the old code back, then resume the run."
                                            + " After the repair, run `perdure runs resume R`.");
                });
    }

    @Test
    void changedCodeParksRunsAndAFailedOneGoesOnFromItsLastGoodStep(@TempDir Path folder) {
        Stream<String> told = ParkedAndMendedExample.tellAll("jdbc:sqlite:" + folder.resolve("app.db")).stream()
                .map(line -> line.replaceAll("Run [0-9a-f-]{36}", "Run R"));
        String parked = "parked: PD-104 Run R does not match its history at event 1: recorded step \"reserve\","
                + " the code asked for step \"pick\". The code changed while the run was in flight."
                + " Register the changed code as a new version, or put the old code back, then resume the run.";

        assertThat(told)
                .containsExactly(
                        "reserve a lamp",
                        "reserve a chair",
                        parked,
                        parked,
                        "2 to resume",
                        "2 resumed",
                        "lamp is on its way",
                        "chair is on its way",
                        "invoice for ann",
                        "charge, attempt 1",
                        "charge, attempt 2",
                        "PD-310",
                        "charge, attempt 1",
                        "ann has paid");
    }
}
