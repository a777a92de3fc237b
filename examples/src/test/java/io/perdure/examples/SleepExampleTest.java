package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SleepExampleTest {
    private static final int ATTEMPTS = 10;

    /** Tries again if the machine stalled until the sleep was over, so that the run went on before the engine was closed. */
    @Test
    void theSleepGoesOnWhileNothingRuns(@TempDir Path folder) throws InterruptedException {
        List<String> told = List.of("closed");
        for (int attempt = 1; attempt <= ATTEMPTS && told.indexOf("closed") >= told.indexOf("bill ann"); attempt++) {
            told = SleepExample.tellAll("jdbc:sqlite:" + folder.resolve("app" + attempt + ".db"));
        }

        assertThat(told).containsExactly("begin for ann", "closed", "opened", "bill ann", "ann was billed");
    }
}
