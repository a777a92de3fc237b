package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which callers may use a connection, and which one is next. */
@Timeout(60)
final class ConnectionPermitsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ConnectionPermits permits = new ConnectionPermits(4);

    private void admit(Share share, int callers) throws InterruptedException {
        for (int caller = 0; caller < callers; caller++) {
            assertThat(permits.acquire(share, LONG)).isTrue();
        }
    }

    private FutureTask<Boolean> waitInLine(Share share, Thread.Builder thread) {
        int before = permits.waiting(share);
        FutureTask<Boolean> caller = new FutureTask<>(() -> permits.acquire(share, LONG));
        thread.start(caller);
        long begun = System.nanoTime();
        while (permits.waiting(share) == before) {
            assertThat(System.nanoTime() - begun)
                    .as("the time to join the line")
                    .isLessThan(LONG.toNanos());
            Thread.onSpinWait();
        }
        return caller;
    }

    /** A reader is next in line when steps take all carriers: it is admitted, but does not run. */
    @Test
    void acquire_behindAVirtualThreadWithoutACarrier_isAdmitted() throws Exception {
        admit(Share.FLUSHES, 4);
        FutureTask<Boolean> reader = waitInLine(Share.READS, Thread.ofVirtual());
        try (Carriers _ = Carriers.held()) {
            permits.release(Share.FLUSHES);
            permits.release(Share.FLUSHES);

            assertThat(permits.acquire(Share.FLUSHES, LONG)).isTrue();

            assertThat(reader.isDone()).isFalse();
        }
        assertThat(reader.get()).isTrue();
    }

    @Test
    void acquire_ofAShareWithRoom_passesCallersOfAFullShare() throws Exception {
        admit(Share.READS, 1);
        FutureTask<Boolean> reader = waitInLine(Share.READS, Thread.ofPlatform());

        assertThat(permits.acquire(Share.CALLS, Duration.ZERO)).isTrue();
        assertThat(permits.acquire(Share.CLAIMS, Duration.ZERO)).isTrue();
        assertThat(permits.acquire(Share.FLUSHES, Duration.ZERO)).isTrue();
        assertThat(permits.acquire(Share.FLUSHES, Duration.ZERO)).isFalse();

        permits.release(Share.READS);
        assertThat(reader.get()).isTrue();
    }

    @Test
    void release_whileCallersOfTwoSharesWait_admitsTheOneThatCameFirst() throws Exception {
        admit(Share.FLUSHES, 4);
        FutureTask<Boolean> first = waitInLine(Share.CLAIMS, Thread.ofPlatform());
        FutureTask<Boolean> second = waitInLine(Share.READS, Thread.ofPlatform());

        permits.release(Share.FLUSHES);
        assertThat(first.get()).isTrue();
        assertThat(permits.waiting(Share.READS)).isEqualTo(1);

        permits.release(Share.CLAIMS);
        assertThat(second.get()).isTrue();
    }

    @Test
    void acquire_whenTheTimeIsOver_leavesTheLine() throws Exception {
        admit(Share.FLUSHES, 4);

        assertThat(permits.acquire(Share.READS, Duration.ofMillis(1))).isFalse();

        assertThat(permits.waiting(Share.READS)).isZero();
        permits.release(Share.FLUSHES);
        admit(Share.FLUSHES, 1);
    }

    @Test
    void acquire_whenInterrupted_leavesTheLine() {
        Thread.currentThread().interrupt();
        List<Share> admitted = new ArrayList<>();

        assertThatThrownBy(() -> {
                    for (int caller = 0; caller < 5; caller++) {
                        permits.acquire(Share.FLUSHES, LONG);
                        admitted.add(Share.FLUSHES);
                    }
                })
                .isInstanceOf(InterruptedException.class);

        assertThat(admitted).hasSize(4);
        assertThat(permits.waiting(Share.FLUSHES)).isZero();
    }

    @Test
    void open_whileCallersWait_admitsAll() throws Exception {
        admit(Share.READS, 1);
        FutureTask<Boolean> reader = waitInLine(Share.READS, Thread.ofPlatform());

        permits.open();

        assertThat(reader.get()).isTrue();
        admit(Share.READS, 1);
    }
}
