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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counts what a process that has nothing to do asks of the server, by the server's own log and its times. */
@Exhaustive
@Timeout(120)
class IdleProcessTest {
    private static final List<String> QUEUES = List.of("one", "two", "three");

    /** For how long a receiver may wait, at most. */
    private static final Duration WAIT = Duration.ofSeconds(20);

    /** Without the looks with which a receiver begins, and those when it hears of others. */
    private static final Duration SPAN = Duration.ofSeconds(14);

    /** How a look for messages begins in the log. */
    private static final String LOOK = "SELECT m.id, m.body, ";

    /** How a line of the log begins: a time, in UTC. */
    private static final int TIME_LENGTH = "2026-03-01 12:00:00.000".length();

    private record Statement(Instant at, String line) {
        static Statement of(String line) {
            return new Statement(Instant.parse(line.substring(0, TIME_LENGTH).replace(' ', 'T') + "Z"), line);
        }
    }

    @Test
    void threeWaitingReceiversSendFewerThanOneQueryInTwoSeconds() throws Exception {
        try (PrivatePostgres server = PrivatePostgres.start(
                        PostgresBinaries.bundled(),
                        Map.of("fsync", "off", "full_page_writes", "off", "log_statement", "all"));
                Perdure perdure = Perdure.open(server.url())) {
            List<MessageQueue> queues =
                    QUEUES.stream().map(perdure::createQueue).toList();
            Instant began = Instant.now();
            List<Thread> receivers = queues.stream()
                    .map(queue -> Thread.startVirtualThread(
                            () -> queue.receive(Receiving.upTo(1).waiting(WAIT))))
                    .toList();
            for (Thread receiver : receivers) {
                receiver.join();
            }
            Path log = server.folder().resolve("log");
            assertThat(Files.readString(log)).contains("perdure.receive_2(").contains("LISTEN ");

            // Until then all of them waited.
            Instant over = began.plus(WAIT);
            List<Statement> sent = statements(log).stream()
                    .filter(statement -> !statement.at.isBefore(began) && statement.at.isBefore(over))
                    .toList();
            assertThat(fewestInASpan(sent, over)).isLessThan(SPAN.toSeconds() / 2);
            // They still wait, and look in case a hint was lost: after 5 seconds, and then ever more seldom.
            assertThat(sent)
                    .filteredOn(statement -> statement.at.isAfter(began.plusSeconds(4)))
                    .filteredOn(statement -> statement.line.contains(LOOK))
                    .hasSizeGreaterThanOrEqualTo(QUEUES.size());
        }
    }

    /** How many follow one statement within the span, after the one that the fewest follow. */
    private static long fewestInASpan(List<Statement> sent, Instant over) {
        long fewest = Long.MAX_VALUE;
        for (int first = 0; first < sent.size(); first++) {
            Instant end = sent.get(first).at.plus(SPAN);
            if (!end.isAfter(over)) {
                long following = sent.stream()
                        .skip(first + 1L)
                        .filter(statement -> statement.at.isBefore(end))
                        .count();
                fewest = Math.min(fewest, following);
            }
        }
        return fewest;
    }

    /** Empty ones too. */
    private static List<Statement> statements(Path log) throws IOException {
        return Files.readAllLines(log, StandardCharsets.UTF_8).stream()
                .filter(line -> line.contains("LOG:  execute ") || line.contains("LOG:  statement: "))
                .map(Statement::of)
                .toList();
    }
}
