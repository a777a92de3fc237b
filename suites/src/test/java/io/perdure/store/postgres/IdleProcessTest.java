package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.postgres.PostgresBinaries;
import io.perdure.postgres.PrivatePostgres;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Receiving;
import io.perdure.testkit.Exhaustive;
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
import org.junit.jupiter.api.Timeout;

/** Counts what a process that has nothing to do asks of the server, by the server's own log. */
@Exhaustive
@Timeout(120)
class IdleProcessTest {
    private static final int SECONDS = 14;
    private static final List<String> QUEUES = List.of("one", "two", "three");

    /** How a look for messages begins in the log. */
    private static final String LOOK = "SELECT m.id, m.body, ";

    @Test
    void threeWaitingReceiversSendFewerThanOneQueryInTwoSeconds() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (PrivatePostgres server = PrivatePostgres.start(
                        PostgresBinaries.bundled(),
                        Map.of("fsync", "off", "full_page_writes", "off", "log_statement", "all"));
                Perdure perdure = Perdure.open(server.url())) {
            for (String name : QUEUES) {
                MessageQueue queue = perdure.createQueue(name);
                Thread.startVirtualThread(() -> queue.receive(Receiving.upTo(1).waiting(Duration.ofSeconds(20))));
            }
            Path log = server.folder().resolve("log");
            // Whoever has just begun looks again after 5 seconds; then each look is twice as far from the one before.
            while (looks(log) < 2L * QUEUES.size()) {
                assertThat(never.await(20, TimeUnit.MILLISECONDS)).isFalse();
            }
            List<String> before = statements(log);

            assertThat(never.await(SECONDS, TimeUnit.SECONDS)).isFalse();

            List<String> after = statements(log);
            assertThat(Files.readString(log)).contains("perdure.receive_2(").contains("LISTEN ");
            // Not none: they still wait, and look in case a hint was lost.
            assertThat(after.subList(before.size(), after.size())).isNotEmpty().hasSizeLessThan(SECONDS / 2);
        }
    }

    private static long looks(Path log) throws IOException {
        return statements(log).stream().filter(line -> line.contains(LOOK)).count();
    }

    /** Empty ones too. */
    private static List<String> statements(Path log) throws IOException {
        return Files.readAllLines(log, StandardCharsets.UTF_8).stream()
                .filter(line -> line.contains("LOG:  execute ") || line.contains("LOG:  statement: "))
                .toList();
    }
}
