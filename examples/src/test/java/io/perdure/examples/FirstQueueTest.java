package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstQueueTest {
    @Test
    void whatWasSentIsDeliveredAndGone(@TempDir Path folder) {
        String url = "jdbc:sqlite:" + folder.resolve("app.db");
        assertThat(FirstQueue.tell(url)).containsExactly("{\"to\": \"ann@example.com\"}");
        assertThat(FirstQueue.tell(url)).hasSize(1);
    }
}
