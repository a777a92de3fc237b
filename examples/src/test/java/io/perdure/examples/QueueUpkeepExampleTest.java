package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueUpkeepExampleTest {
    @Test
    void aQueueIsCreatedLookedAtEmptiedAndDeleted(@TempDir Path folder) {
        assertThat(QueueUpkeepExample.tell("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly(
                        "kept for 14 days",
                        "1 ready, 1 delayed, 0 leased",
                        "READY {\"call\": \"ann\"}",
                        "DELAYED {\"call\": \"bob\"}",
                        "2 purged",
                        "0 queues left");
    }
}
