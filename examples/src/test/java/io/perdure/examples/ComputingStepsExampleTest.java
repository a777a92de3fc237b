package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComputingStepsExampleTest {
    @Test
    void tell_withStepsOnAPool_returnsTheirResults(@TempDir Path folder) {
        assertThat(ComputingStepsExample.tell("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly("3628800", "120");
    }
}
