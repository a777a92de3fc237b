package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetriesExampleTest {
    @Test
    void whatMayBeMendedIsTriedAgainAndPaidOnce(@TempDir Path folder) {
        assertThat(RetriesExample.tell("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly(
                        "ask-rate, attempt 1",
                        "ask-rate, attempt 2",
                        "pay, attempt 1",
                        "pay, attempt 2",
                        "result: payment 1 of 200",
                        "ask-rate, attempt 1",
                        "ask-rate, attempt 2",
                        "pay, attempt 1",
                        "PD-310 after attempt 1");
    }
}
