package io.perdure.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.perdure.core.store.QueueCommit.Create;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that come before the first commit, while the store is away. */
@Timeout(60)
final class LedgerOpeningTest {
    private static final int CALLERS = 4;
    /** More failures than one patience has room for. */
    private static final int MANY = 10_000;

    private static final Duration PATIENCE = Limits.defaults().ledger().patience();
    private static final Create CREATE =
            new Create(TenantId.DEFAULT, new QueueName("orders"), QueueSettings.defaults());

    /** Its waits are over at once and count: a patience takes no time. */
    private final CountedTime environment = new CountedTime();

    private final FaultyStore store = new FaultyStore(environment);

    /** Callers that tried in turn would wait for as many patiences as there are callers. */
    @Test
    void commit_beforeTheFirstDuringAnOutage_failsForAllCallersWithinOnePatience() throws InterruptedException {
        CountDownLatch callersWait = new CountDownLatch(1);
        store.beforeOpening = () -> await(callersWait);
        failOpenings(ErrorCode.STORE_UNREACHABLE, MANY);
        Queue<PerdureException> heard = new ConcurrentLinkedQueue<>();
        try (Ledger ledger = Ledger.open(store, environment, Limits.defaults())) {
            List<Thread> callers = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                callers.add(Thread.ofPlatform()
                        .start(() ->
                                heard.add(catchThrowableOfType(PerdureException.class, () -> ledger.commit(CREATE)))));
            }
            for (Thread caller : callers) {
                while (caller.getState() != Thread.State.WAITING) {
                    Thread.onSpinWait();
                }
            }
            callersWait.countDown();
            for (Thread caller : callers) {
                caller.join();
            }

            assertThat(environment.nanoTime()).isEqualTo(PATIENCE.toNanos());
            assertThat(heard)
                    .hasSize(CALLERS)
                    .allSatisfy(error -> assertThat(error.code()).isEqualTo(ErrorCode.STORE_UNREACHABLE));
            store.openFaults.clear();
            assertThat(ledger.commit(CREATE)).isNotNull();
        }
    }

    @Test
    void commit_beforeTheFirstWhileTheServerRestarts_succeeds() {
        failOpenings(ErrorCode.STORE_UNREACHABLE, 3);
        failOpenings(ErrorCode.OUTCOME_UNKNOWN, 1);
        failOpenings(ErrorCode.STORE_BUSY, 1);
        try (Ledger ledger = Ledger.open(store, environment, Limits.defaults())) {
            assertThat(ledger.commit(CREATE)).isNotNull();

            assertThat(store.opened).hasSize(6).containsOnly(store.opened.getFirst());
        }
    }

    @Test
    void commit_beforeTheFirstWhenTheStoreRefusesForGood_failsWithoutASecondAttempt() {
        failOpenings(ErrorCode.STORE_FAILED, 1);
        try (Ledger ledger = Ledger.open(store, environment, Limits.defaults())) {
            LedgerFixture.assertFails(ErrorCode.STORE_FAILED, () -> ledger.commit(CREATE));
            assertThat(store.opened).hasSize(1);

            assertThat(ledger.commit(CREATE)).isNotNull();
        }
    }

    /** A virtual thread that waits for the answer of a store may get no carrier for as long as steps compute, and all callers wait for the same attempt. */
    @Test
    void commit_ofAVirtualThreadThatIsTheFirst_opensTheLanesOnAThreadOfTheOperatingSystem() throws Exception {
        Queue<Boolean> virtual = new ConcurrentLinkedQueue<>();
        store.beforeOpening = () -> virtual.add(Thread.currentThread().isVirtual());
        try (Ledger ledger = Ledger.open(store, environment, Limits.defaults())) {
            Thread.ofVirtual().start(() -> ledger.commit(CREATE)).join();

            assertThat(virtual).containsExactly(false);
        }
    }

    @Test
    void commit_whenNoThreadCanBeStarted_failsAndTheNextWorks() {
        try (Ledger ledger = Ledger.open(store, environment, Limits.defaults())) {
            environment.refused = true;
            assertThatThrownBy(() -> ledger.commit(CREATE))
                    .isInstanceOf(OutOfMemoryError.class)
                    .hasMessage("No more threads.");

            environment.refused = false;
            assertThat(ledger.commit(CREATE)).isNotNull();
        }
    }

    private void failOpenings(ErrorCode code, int times) {
        IntStream.range(0, times).forEach(_ -> store.openFaults.add(LedgerFixture.error(code)));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
