package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedExampleTest {
    @Test
    void theProgramsRegistryAndTracerAreTold(@TempDir Path folder) {
        assertThat(WatchedExample.tell("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly(
                        "runs started: 1",
                        "look-up-#: 2 times",
                        "workflow.run under nothing",
                        "workflow.step under workflow.run",
                        "workflow.step under workflow.run");
    }
}
