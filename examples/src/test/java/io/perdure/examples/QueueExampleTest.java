package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueExampleTest {
    @Test
    void whatFailedIsDeliveredAgain(@TempDir Path folder) {
        assertThat(QueueExample.tell("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly(
                        "{\"to\": \"ann@example.com\"}, attempt 1",
                        "{\"to\": \"bob@example.com\"}, attempt 1",
                        "{\"to\": \"bob@example.com\"}, attempt 2");
    }
}
