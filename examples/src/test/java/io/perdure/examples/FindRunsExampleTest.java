package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FindRunsExampleTest {
    @Test
    void runsAreFoundAndCancelled(@TempDir Path folder) {
        assertThat(FindRunsExample.tellAll("jdbc:sqlite:" + folder.resolve("app.db")))
                .startsWith(
                        "found {\"user\":{\"id\":1},\"lamps\":5}",
                        "found {\"user\":{\"id\":1},\"lamps\":3}",
                        "found {\"user\":{\"id\":1},\"lamps\":1}",
                        "5 to cancel",
                        "0 of 5")
                .endsWith("5 cancelled", "order cancelled 5");
    }
}
