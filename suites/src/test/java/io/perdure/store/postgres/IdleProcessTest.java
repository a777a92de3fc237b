package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Receiving;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Counts what a process that has nothing to do asks of the server, by the server's own log. */
class IdleProcessTest {
    private static final int SECONDS = 14;

    /** The receivers have waited for a while: whoever has just begun looks a few times more. */
    private static final int SETTLING_SECONDS = 6;

    @Test
    void threeWaitingReceiversSendFewerThanOneQueryInTwoSeconds() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (PrivatePostgres server = PrivatePostgres.start(
                        PostgresBinaries.bundled(),
                        Map.of("fsync", "off", "full_page_writes", "off", "log_statement", "all"));
                Perdure perdure = Perdure.open(server.url())) {
            for (String name : List.of("one", "two", "three")) {
                MessageQueue queue = perdure.createQueue(name);
                Thread.startVirtualThread(() -> queue.receive(Receiving.upTo(1).waiting(Duration.ofSeconds(20))));
            }
            assertThat(never.await(SETTLING_SECONDS, TimeUnit.SECONDS)).isFalse();
            Path log = server.folder().resolve("log");
            List<String> before = statements(log);

            assertThat(never.await(SECONDS, TimeUnit.SECONDS)).isFalse();

            List<String> after = statements(log);
            assertThat(Files.readString(log)).contains("perdure.receive_1(").contains("LISTEN ");
            // Not none: they still wait, and look in case a hint was lost.
            assertThat(after.subList(before.size(), after.size())).isNotEmpty().hasSizeLessThan(SECONDS / 2);
        }
    }

    /** Empty ones too. */
    private static List<String> statements(Path log) throws IOException {
        return Files.readAllLines(log, StandardCharsets.UTF_8).stream()
                .filter(line -> line.contains("LOG:  execute ") || line.contains("LOG:  statement: "))
                .toList();
    }
}
