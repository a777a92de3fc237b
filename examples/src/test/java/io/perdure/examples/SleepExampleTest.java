package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SleepExampleTest {
    @Test
    void theSleepGoesOnWhileNothingRuns(@TempDir Path folder) throws InterruptedException {
        assertThat(SleepExample.tellAll("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly("begin for ann", "closed", "opened", "bill ann", "ann was billed");
    }
}
