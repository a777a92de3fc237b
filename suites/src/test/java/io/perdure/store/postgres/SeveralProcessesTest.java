package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.store.Witness;
import io.perdure.testkit.Exhaustive;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes at work on one schema, on the same queue, groups and keys, agree about everything. */
@Exhaustive
final class SeveralProcessesTest {
    private static final long NUMBERS_PER_PROCESS = 1_000_000;
    private static final int ROUNDS = 60;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    @Timeout(300)
    void nothingIsLostDoubledOrOutOfOrder(int processes) throws IOException, InterruptedException {
        Path record = folder.resolve("record");
        try (FreshDatabase database = new FreshDatabase()) {
            work(processes, database.text(), record);
            try (Witness witness = Witness.at(record);
                    Traffic last = new Traffic(database.text(), witness, Long.MAX_VALUE, Mailroom.LONG)) {
                last.drain();
                Testimony testimony = new Testimony(Witness.heard(record));
                assertThat(testimony.numbers("sent")).hasSize(processes * ROUNDS * 2 * 3);
                assertThat(testimony.numbers("rejected")).isNotEmpty();
                assertThat(testimony.numbers("retried")).isNotEmpty();
                assertThat(testimony.numbers("duplicate"))
                        .as("keys that processes met at")
                        .isNotEmpty();
                testimony.holdsThroughFaults(last.mailroom());
                testimony.holdsInPeace(last.mailroom());
            }
        }
    }

    private static void work(int count, String url, Path record) throws IOException, InterruptedException {
        List<BusyProcess> processes = new ArrayList<>();
        try {
            for (int number = 0; number < count; number++) {
                processes.add(BusyProcess.start(
                        new BusyProcess.Order(url, record, number * NUMBERS_PER_PROCESS, ROUNDS, Mailroom.LONG)));
            }
            for (BusyProcess process : processes) {
                assertThat(process.awaitEnd()).isZero();
            }
        } finally {
            processes.forEach(BusyProcess::close);
        }
    }
}
