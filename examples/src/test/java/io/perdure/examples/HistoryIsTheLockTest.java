package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.environment.SystemEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HistoryIsTheLockTest {
    @Test
    void theWorkerThatLostItsLeaseWritesNothing() throws InterruptedException {
        assertThat(HistoryIsTheLock.tell(new SystemEnvironment()))
                .containsExactly(
                        "start     started",
                        "worker 2  applied as event 1",
                        "worker 1  lease lost: nothing was written",
                        "worker 2  applied as event 2");
    }

    @Test
    void thePageOnRunsShowsWhatItTells() throws IOException, InterruptedException {
        String told = String.join("\n", HistoryIsTheLock.tell(new SystemEnvironment()));

        assertThat(Files.readString(Path.of("../docs/concepts/runs.md"))).contains("```\n" + told + "\n```");
    }
}
