package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatchingExampleTest {
    @Test
    void whatMatchesIsReceivedAndWhatIsNotAcknowledgedIsGivenBack(@TempDir Path folder) {
        assertThat(MatchingExample.tell("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly(
                        "at night: {\"kind\": \"invoice\", \"pages\": 500}",
                        "{\"kind\": \"letter\", \"pages\": 1}, settled: true",
                        "{\"kind\": \"invoice\", \"pages\": 2}, settled: true",
                        "2 out, 1 retried");
    }
}
