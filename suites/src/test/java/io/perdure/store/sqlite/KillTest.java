package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Receiving;
import io.perdure.store.Witness;
import io.perdure.store.Witness.Fact;
import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pulls the plug of a busy process again and again. What it was told must be true. */
@Exhaustive
final class KillTest {
    private static final int KILLS = 6;
    private static final int MOST_LINES = 4;
    private static final long NUMBERS_PER_PROCESS = 1_000_000;

    @TempDir
    Path folder;

    @Test
    @Timeout(300)
    void whatWasAcknowledgedIsNeverLostAndNeverComesBack() throws IOException {
        Path database = folder.resolve("app.db");
        Path record = folder.resolve("record");
        SplittableRandom random = new SplittableRandom(Seeds.asked().findFirst().orElse(42));
        for (int kill = 0; kill < KILLS; kill++) {
            try (BusyProcess process = BusyProcess.start(database, record, kill * NUMBERS_PER_PROCESS)) {
                // The first line comes only when messages were sent and acknowledged: a restart goes on at once.
                process.awaitLines(1 + random.nextInt(MOST_LINES));
            }
        }
        List<Fact> told = Witness.heard(record);
        List<Long> left = drain(database);

        Set<Long> sent = numbers(told, "sent");
        Set<Long> acked = numbers(told, "acked");
        assertThat(sent).hasSizeGreaterThan(KILLS * 100);
        assertThat(acked).hasSizeGreaterThan(KILLS * 100);

        Set<Long> accountedFor = new HashSet<>(numbers(told, "received"));
        accountedFor.addAll(left);
        assertThat(accountedFor)
                .as("every send that was told done was delivered")
                .containsAll(sent);
        assertThat(left).as("what was told acknowledged does not come back").doesNotContainAnyElementsOf(acked);
        assertThat(left).as("nothing is there twice").doesNotHaveDuplicates();
        assertThat(deliveredAfterItsAck(told))
                .as("delivered after its ack was told")
                .isEmpty();
    }

    private static List<Long> drain(Path database) {
        List<Long> left = new ArrayList<>();
        try (Perdure perdure = Perdure.open("jdbc:sqlite:" + database)) {
            MessageQueue queue = perdure.createQueue(BusyProcess.QUEUE, BusyProcess.settings());
            // Long enough for the leases of the last process to run out.
            Receiving patiently = Receiving.upTo(100).waiting(BusyProcess.VISIBILITY.multipliedBy(2));
            List<Delivery> deliveries = queue.receive(patiently);
            while (!deliveries.isEmpty()) {
                deliveries.forEach(
                        delivery -> left.add(Long.parseLong(delivery.body().text())));
                assertThat(queue.ackAll(deliveries)).isEmpty();
                deliveries = queue.receive(patiently);
            }
        }
        return left;
    }

    private static Set<Long> numbers(List<Fact> facts, String what) {
        Set<Long> numbers = new HashSet<>();
        facts.stream().filter(fact -> fact.what().equals(what)).forEach(fact -> numbers.add(fact.number()));
        return numbers;
    }

    private static List<Long> deliveredAfterItsAck(List<Fact> facts) {
        Set<Long> acked = new HashSet<>();
        List<Long> again = new ArrayList<>();
        for (Fact fact : facts) {
            if (fact.what().equals("acked")) {
                acked.add(fact.number());
            } else if (fact.what().equals("received") && acked.contains(fact.number())) {
                again.add(fact.number());
            }
        }
        return again;
    }
}
