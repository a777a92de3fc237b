package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderFlowExampleTest {
    @Test
    void theOrderIsStartedOncePaidOnceAndShipped(@TempDir Path folder) {
        assertThat(OrderFlowExample.tellAll("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly(
                        "created true, again false",
                        "reserve 2",
                        "charge, attempt 1",
                        "charge, attempt 2",
                        "shipped, payment 1 of 75",
                        "start, attempts: 1",
                        "reserve, attempts: 1",
                        "charge, attempts: 2",
                        "ship, attempts: 1",
                        "timeout 0",
                        "stuck_created 0",
                        "stuck_completed 0",
                        "stuck_failed 0",
                        "stuck_terminal 0");
    }
}
