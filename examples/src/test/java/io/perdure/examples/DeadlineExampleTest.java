package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeadlineExampleTest {
    @Test
    void whatStillGoesOnAtItsDeadlineIsCancelled(@TempDir Path folder) {
        assertThat(DeadlineExample.tellAll("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly(
                        "interrupted",
                        "hang: PD-311",
                        "hang: cancelled by perdure: The deadline … has passed.",
                        "wait: PD-311",
                        "wait: cancelled by perdure: The deadline … has passed.");
    }
}
