package io.perdure.store.postgres;

import static io.perdure.store.postgres.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.perdure.postgres.PrivatePostgres;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.store.Witness;
import io.perdure.testkit.Exhaustive;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server stops for a while under load: whoever asked something of it waits, and is answered when it is back. */
@Exhaustive
@Timeout(180)
final class StallTest {
    private static final int PAUSE_SECONDS = 15;
    private static final Set<ErrorCode> PASSING =
            Set.of(ErrorCode.STORE_UNREACHABLE, ErrorCode.OUTCOME_UNKNOWN, ErrorCode.STORE_BUSY);

    @TempDir
    Path folder;

    private final PrivatePostgres server = TestPostgres.breakable();

    @Test
    void aServerThatIsFrozenKeepsCallersWaitingAndNothingMore() throws Exception {
        try (Load load = new Load(server.url("frozen"), folder.resolve("record"))) {
            load.goesOn();
            server.pause();
            try {
                assertThat(load.failed.await(PAUSE_SECONDS, TimeUnit.SECONDS))
                        .as("sent away: %s", load.why.get())
                        .isFalse();
            } finally {
                server.resume();
            }
            load.goesOn();
            load.endsWell();
        }
    }

    @Test
    void aRestartAfterACrashGoesUnnoticed() throws Exception {
        try (Load load = new Load(server.url("crashed"), folder.resolve("record"))) {
            for (int time = 0; time < 3; time++) {
                load.goesOn();
                server.crash();
                server.restart();
            }
            load.goesOn();
            load.endsWell();
        }
    }

    @Test
    void aServerThatStaysAwayIsToldWhenPatienceIsOverAndFoundAgain() {
        String url = server.url("away");
        try (Mailroom patient = Mailroom.at(url);
                Mailroom mailroom = opened(url)) {
            patient.sendAll(1);
            server.crash();
            try {
                // Some may go out over connections whose end nobody has noticed yet: they are in doubt.
                StoreException told = catchThrowableOfType(StoreException.class, () -> mailroom.sendAll(1));
                while (told.code() == ErrorCode.OUTCOME_UNKNOWN) {
                    told = catchThrowableOfType(StoreException.class, () -> mailroom.sendAll(1));
                }
                assertThat(told.code()).isEqualTo(ErrorCode.STORE_UNREACHABLE);
                refuses(() -> mailroom.sendAll(1), ErrorCode.STORE_UNREACHABLE);
            } finally {
                server.restart();
            }
            int doubts = findAgain(mailroom);
            assertThat(patient.bodies()).hasSizeBetween(2, 2 + doubts);
        }
    }

    /** Tries again: to connect may take longer than it has patience. */
    private static Mailroom opened(String url) {
        while (true) {
            try {
                return Mailroom.at(url, Mailroom.patient(Duration.ofMillis(100)));
            } catch (StoreException e) {
                assertThat(e.code()).isIn(PASSING);
            }
        }
    }

    /**
     * The pool tries ever more seldom while a server is away, up to ten seconds apart. Returns how many messages are in doubt, beside the one
     * that was sent.
     */
    private static int findAgain(Mailroom mailroom) {
        int doubts = 0;
        while (true) {
            try {
                mailroom.sendAll(1);
                return doubts;
            } catch (StoreException e) {
                assertThat(e.code()).isIn(PASSING);
                doubts += e.code() == ErrorCode.OUTCOME_UNKNOWN ? 1 : 0;
            }
        }
    }

    /** Traffic in this process, by several threads, until it is told to end. */
    private static final class Load implements AutoCloseable {
        final CountDownLatch failed = new CountDownLatch(1);
        final AtomicReference<@Nullable Throwable> why = new AtomicReference<>();
        private final Path record;
        private final Witness witness;
        private final Traffic traffic;
        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicInteger[] rounds = new AtomicInteger[6];
        private final List<Thread> threads = new ArrayList<>();

        Load(String url, Path record) throws IOException {
            this.record = record;
            this.witness = Witness.at(record);
            this.traffic = new Traffic(url, witness, 0, Mailroom.LONG.dividedBy(60));
            List<BusyProcess.Deed> deeds = List.of(
                    traffic::send, traffic::handle, traffic::handle, traffic::redrive, traffic::start, traffic::work);
            for (int number = 0; number < deeds.size(); number++) {
                BusyProcess.Deed deed = deeds.get(number);
                AtomicInteger count = new AtomicInteger();
                rounds[number] = count;
                threads.add(Thread.startVirtualThread(() -> work(deed, count)));
            }
        }

        private void work(BusyProcess.Deed deed, AtomicInteger count) {
            try {
                while (!over.get()) {
                    if (deed.run() == 0) {
                        LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
                    }
                    count.incrementAndGet();
                }
            } catch (Exception e) {
                why.set(e);
                failed.countDown();
            }
        }

        /** Waits until every thread has done some more, and none has failed. */
        void goesOn() {
            for (AtomicInteger round : rounds) {
                int before = round.get();
                while (round.get() < before + 5) {
                    assertThat(why.get()).isNull();
                    LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
                }
            }
        }

        void endsWell() throws InterruptedException, IOException {
            over.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(why.get()).isNull();
            traffic.drain();
            Testimony testimony = new Testimony(Witness.heard(record));
            assertThat(testimony.numbers("acked")).isEqualTo(testimony.numbers("sent"));
            testimony.holdsThroughFaults(traffic.mailroom());
        }

        @Override
        public void close() throws IOException {
            over.set(true);
            try (witness) {
                traffic.close();
            }
        }
    }
}
