package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.environment.SystemEnvironment;
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
}
