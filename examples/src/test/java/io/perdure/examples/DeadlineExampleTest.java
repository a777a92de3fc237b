package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeadlineExampleTest {
    private static final String BEGUN = "asks the supplier";
    private static final int ATTEMPTS = 10;

    /** Tries again if the machine stalled until the deadline, so that the step never began. */
    @Test
    void whatStillGoesOnAtItsDeadlineIsCancelled(@TempDir Path folder) {
        List<String> told = List.of();
        for (int attempt = 1; attempt <= ATTEMPTS && !told.contains(BEGUN); attempt++) {
            told = DeadlineExample.tellAll("jdbc:sqlite:" + folder.resolve("app" + attempt + ".db"));
        }

        assertThat(told)
                .containsExactly(
                        BEGUN,
                        "interrupted",
                        "hang: PD-311",
                        "hang: cancelled by perdure: The deadline … has passed.",
                        "wait: PD-311",
                        "wait: cancelled by perdure: The deadline … has passed.");
    }
}
