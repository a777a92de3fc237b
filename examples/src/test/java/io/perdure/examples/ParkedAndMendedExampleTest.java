package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParkedAndMendedExampleTest {
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
