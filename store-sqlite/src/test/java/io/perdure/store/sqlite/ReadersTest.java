package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads while virtual threads do not run. */
final class ReadersTest {
    private static final int CARRIERS = Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());

    private static final int READERS = 4;

    private final Readers readers = new Readers(ReadersTest::openSession);
    private final CountDownLatch held = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean released;

    private static Session openSession() {
        try {
            return new Session(DriverManager.getConnection("jdbc:sqlite::memory:"), Path.of("memory"));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() throws InterruptedException {
        held.countDown();
        released = true;
        for (Thread thread : threads) {
            thread.join();
        }
        readers.close();
    }

    /** Starts a thread that reads until it is let go, or waits in line. Returns when it waits, for either. */
    private Thread startReader(Thread.Builder kind) {
        Thread thread = kind.start(() -> readers.read(_ -> {
            awaitHeld();
            return 0;
        }));
        threads.add(thread);
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return thread;
    }

    private void awaitHeld() {
        try {
            held.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns when a virtual thread that computes holds each carrier. */
    private void holdCarriers() throws InterruptedException {
        CountDownLatch holding = new CountDownLatch(CARRIERS);
        for (int carrier = 0; carrier < CARRIERS; carrier++) {
            threads.add(Thread.startVirtualThread(() -> {
                holding.countDown();
                while (!released) {
                    Thread.onSpinWait();
                }
            }));
        }
        holding.await();
    }

    /** On a thread of its own: a wait for a reader cannot be interrupted. */
    private long readOnPlatformThread() throws Exception {
        FutureTask<Long> read = new FutureTask<>(() -> readers.read(session -> session.number("SELECT 7")));
        threads.add(Thread.ofPlatform().start(read));
        return read.get(30, TimeUnit.SECONDS);
    }

    /** A virtual thread is next in line when steps take all carriers: it is admitted, but does not run. */
    @Test
    void read_behindAVirtualThreadWithoutACarrier_returns() throws Exception {
        for (int reader = 0; reader < READERS; reader++) {
            startReader(Thread.ofPlatform());
        }
        Thread next = startReader(Thread.ofVirtual());
        holdCarriers();
        held.countDown();

        assertThat(readOnPlatformThread()).isEqualTo(7);

        assertThat(next.isAlive()).isTrue();
    }

    @Test
    void read_whileManyVirtualThreadsReadWithoutRunning_returns() throws Exception {
        for (int reader = 0; reader <= READERS; reader++) {
            startReader(Thread.ofVirtual());
        }

        assertThat(readOnPlatformThread()).isEqualTo(7);
    }

    @Test
    void read_ofAThreadThatIsInterruptedInLine_waitsAndStaysInterrupted() throws Exception {
        for (int reader = 0; reader < READERS; reader++) {
            startReader(Thread.ofPlatform());
        }
        FutureTask<Boolean> read =
                new FutureTask<>(() -> readers.read(_ -> Thread.currentThread().isInterrupted()));
        Thread waiting = Thread.ofPlatform().start(read);
        threads.add(waiting);
        waiting.interrupt();

        assertThat(read.isDone()).isFalse();
        held.countDown();
        assertThat(read.get(30, TimeUnit.SECONDS)).isTrue();
    }
}
