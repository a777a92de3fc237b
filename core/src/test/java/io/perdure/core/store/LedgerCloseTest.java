package io.perdure.core.store;

import static io.perdure.core.store.LedgerFixture.ONE_LANE;
import static io.perdure.core.store.LedgerFixture.assertFails;
import static io.perdure.core.store.LedgerFixture.error;
import static io.perdure.core.store.LedgerFixture.start;
import static io.perdure.core.store.LedgerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.LedgerFixture.Running;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a ledger: whatever it took is answered, whatever it did not take is refused, and nobody hangs. */
@Timeout(60)
class LedgerCloseTest {
    @Test
    void closingBringsWhatWasHandedOver() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.hold();
            List<Pending> handed = new ArrayList<>();
            fixture.sends(100).forEach(send -> handed.add(fixture.ledger.hand(send)));
            Running closer = start(fixture.ledger::close);
            until(() -> isClosed(fixture, handed));
            assertThat(handed).noneMatch(Pending::isDone);
            fixture.release();
            closer.join();

            assertThat(handed).allMatch(Pending::isDone);
            assertThat(fixture.messages()).isEqualTo(handed.size() + 1);
        }
    }

    @Test
    void aClosedLedgerTakesNothingAndLeavesTheStoreOpen() {
        try (LedgerFixture fixture = new LedgerFixture(Limits.defaults())) {
            fixture.ledger.close();
            fixture.ledger.close();

            assertFails(ErrorCode.STORE_CLOSED, () -> fixture.ledger.commit(fixture.send()));
            assertFails(ErrorCode.STORE_CLOSED, () -> fixture.ledger.hand(fixture.send()));
            assertFails(ErrorCode.STORE_CLOSED, () -> fixture.ledger.commitAll(fixture.sends(2)));
            assertThat(fixture.messages()).isZero();
        }
    }

    @Test
    void whoWaitsForRoomIsSentAway() {
        Limits.Ledger two = new Limits.Ledger(1, 10, 1 << 20, 2, 1 << 20, Duration.ofMinutes(5));
        try (LedgerFixture fixture = new LedgerFixture(two)) {
            fixture.hold();
            Pending taken = fixture.ledger.hand(fixture.send());
            List<Running> callers = IntStream.range(0, 5)
                    .mapToObj(_ -> start(
                            () -> assertFails(ErrorCode.STORE_CLOSED, () -> fixture.ledger.commit(fixture.send()))))
                    .toList();
            until(() -> fixture.ledger.queued() == 5);
            Running closer = start(fixture.ledger::close);
            callers.forEach(Running::join);
            fixture.release();
            closer.join();

            assertThat(taken.isDone()).isTrue();
        }
    }

    @RepeatedTest(20)
    void whatIsHandedOverMeanwhileIsAnsweredOrRefused() {
        try (LedgerFixture fixture = new LedgerFixture(Limits.defaults())) {
            AtomicInteger answered = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            List<Running> callers = IntStream.range(0, 50)
                    .mapToObj(_ -> start(() -> commitUntilClosed(fixture, answered, refused)))
                    .toList();
            until(() -> answered.get() > 100);
            fixture.ledger.close();
            callers.forEach(Running::join);

            assertThat(refused).hasValue(50);
            assertThat(fixture.store.sent()).hasSize(answered.get());
            assertThat(fixture.ledger.figures().waiting()).isZero();
        }
    }

    @Test
    void closingBeforeADeadStoreTakesOnePatienceForAllThatIsLeft() {
        Limits.Ledger single = new Limits.Ledger(1, 1, 1 << 20, 1_000, 1 << 20, Duration.ofMillis(200));
        try (LedgerFixture fixture = new LedgerFixture(single)) {
            fixture.failFromNowOn(error(ErrorCode.OUTCOME_UNKNOWN));
            List<Pending> handed =
                    fixture.sends(100).stream().map(fixture.ledger::hand).toList();
            long before = fixture.ledger.figures().resends();
            fixture.ledger.close();

            handed.forEach(pending -> assertFails(ErrorCode.OUTCOME_UNKNOWN, pending::await));
            // From one attempt to the next it is 5 ms at least: one patience has room for 40 of them, one each for
            // hundreds.
            assertThat(fixture.ledger.figures().resends() - before).isLessThan(handed.size());
            fixture.recover();
        }
    }

    private static void commitUntilClosed(LedgerFixture fixture, AtomicInteger answered, AtomicInteger refused) {
        while (true) {
            try {
                fixture.ledger.commit(fixture.send("group-" + answered.get() % 8, "x"));
                answered.incrementAndGet();
            } catch (StoreException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.STORE_CLOSED);
                refused.incrementAndGet();
                return;
            }
        }
    }

    private static boolean isClosed(LedgerFixture fixture, List<Pending> handed) {
        try {
            handed.add(fixture.ledger.hand(fixture.send()));
            return false;
        } catch (StoreException _) {
            return true;
        }
    }
}
