package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CancelExampleTest {
    @Test
    void theStepIsInterruptedAndNoFurtherOneStarts(@TempDir Path folder) throws InterruptedException {
        assertThat(CancelExample.tellAll("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly("copy for ann", "interrupted", "cancelled true, again false", "PD-311");
    }
}
