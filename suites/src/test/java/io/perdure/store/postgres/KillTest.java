package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.postgres.PrivatePostgres;
import io.perdure.store.Witness;
import io.perdure.store.postgres.BusyProcess.Order;
import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** Kills, freezes and cuts off busy processes and their server, again and again. What they were told must be true. */
@Exhaustive
final class KillTest {
    private static final int PROCESSES = 3;
    private static final int MOST_LINES = 2;
    private static final long NUMBERS_PER_PROCESS = 1_000_000;
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** Some of the sessions, none of them ours. */
    private static final String TERMINATE = """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = '%s' AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND random() < 0.5""";

    @TempDir
    Path folder;

    private final PrivatePostgres server = TestPostgres.breakable();
    private final String url = server.url("killed");
    private final SplittableRandom random =
            new SplittableRandom(Seeds.asked().findFirst().orElse(42));
    private final List<BusyProcess> processes = new ArrayList<>();
    private long started;

    @Test
    @Timeout(value = 480, threadMode = ThreadMode.SEPARATE_THREAD)
    void whatWasAcknowledgedIsNeverLostAndNeverComesBack() throws IOException, InterruptedException {
        Path record = folder.resolve("record");
        try (Witness witness = Witness.at(record);
                Traffic last = new Traffic(url, witness, Long.MAX_VALUE, LEASE)) {
            try {
                for (int number = 0; number < PROCESSES; number++) {
                    processes.add(another(record));
                }
                breakThings(record, last.mailroom());
            } finally {
                processes.forEach(BusyProcess::close);
            }
            last.drain();
            Testimony testimony = new Testimony(Witness.heard(record));
            assertThat(testimony.numbers("acked")).hasSizeGreaterThan(300);
            assertThat(testimony.numbers("completed")).isNotEmpty();
            testimony.holdsThroughFaults(last.mailroom());
        }
    }

    private BusyProcess another(Path record) throws IOException {
        return BusyProcess.start(new Order(url, record, started++ * NUMBERS_PER_PROCESS, BusyProcess.FOR_EVER, LEASE));
    }

    private void breakThings(Path record, Mailroom mailroom) throws IOException, InterruptedException {
        everybodyGoesOn();
        for (int time = 0; time < 2; time++) {
            int victim = random.nextInt(PROCESSES);
            processes.get(victim).close();
            processes.set(victim, another(record));
            processes.get(victim).awaitLines(1);
            server.execute(TERMINATE.formatted("killed"));
            everybodyGoesOn();
            server.execute(TERMINATE.formatted("killed"));
            outliveItsLeases(processes.get(random.nextInt(PROCESSES)), mailroom);
            everybodyGoesOn();
            server.crash();
            server.restart();
            everybodyGoesOn();
        }
    }

    /** A process that nobody hears of for longer than its leases last, and that then says what it has to say. */
    private static void outliveItsLeases(BusyProcess process, Mailroom mailroom)
            throws IOException, InterruptedException {
        process.pause();
        try {
            Instant end = mailroom.store.now().plus(LEASE).plus(LEASE.dividedBy(2));
            while (mailroom.store.now().isBefore(end)) {
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        } finally {
            process.resume();
        }
    }

    private void everybodyGoesOn() throws IOException {
        for (BusyProcess process : processes) {
            process.awaitLines(1 + random.nextInt(MOST_LINES));
        }
    }
}
