package io.perdure.core.store;

import static io.perdure.core.store.LedgerFixture.ONE_LANE;
import static io.perdure.core.store.LedgerFixture.assertFails;
import static io.perdure.core.store.LedgerFixture.error;
import static io.perdure.core.store.LedgerFixture.sent;
import static io.perdure.core.store.LedgerFixture.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.perdure.core.store.QueueCommit.Send;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers hear when the store goes wrong: the truth, and then the next commit works. */
@Timeout(60)
class LedgerFaultsTest {
    @Test
    void aLostAnswerIsAskedForAgainAndTheBatchAppliedOnce() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.loseNextAnswer();
            fixture.failNext(error(ErrorCode.OUTCOME_UNKNOWN));
            Send send = fixture.send();

            assertThat(fixture.ledger.commit(send)).isEqualTo(sent(send));
            assertThat(fixture.store.attempts).hasSize(3).containsOnly(fixture.store.attempts.getFirst());
            assertThat(fixture.messages()).isEqualTo(1);
            assertThat(fixture.ledger.figures().resends()).isEqualTo(2);
            assertThat(fixture.ledger.figures().freshLanes()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"STORE_FULL", "STORE_FAILED", "STORE_CLOSED", "STORE_DAMAGED"})
    void anErrorThatProvesThatNothingHappenedIsPassedOnAndTheNumberIsUsedAgain(ErrorCode code) {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.failNext(error(code));

            PerdureException thrown = assertFails(code, () -> fixture.ledger.commit(fixture.send()));
            assertThat(thrown).hasCauseInstanceOf(StoreException.class);
            fixture.ledger.commit(fixture.send());
            assertThat(fixture.store.attempts).hasSize(2);
            assertThat(fixture.store.attempts.get(1).number())
                    .isEqualTo(fixture.store.attempts.get(0).number());
            assertThat(fixture.store.attempts.get(1).lane())
                    .isEqualTo(fixture.store.attempts.get(0).lane());
            assertThat(fixture.messages()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"STORE_BUSY", "STORE_UNREACHABLE"})
    void aStoreThatIsBusyOrAwayIsAskedAgain(ErrorCode code) {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.failNext(error(code), error(code));
            Send send = fixture.send();

            assertThat(fixture.ledger.commit(send)).isEqualTo(sent(send));
            assertThat(fixture.store.attempts).hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"STORE_BUSY", "STORE_UNREACHABLE"})
    void aStoreThatStaysBusyOrAwayHasAppliedNothingAndItsLaneGoesOn(ErrorCode code) {
        try (LedgerFixture fixture = LedgerFixture.impatient()) {
            fixture.failFromNowOn(error(code));
            assertFails(code, () -> fixture.ledger.commit(fixture.send()));
            fixture.recover();

            fixture.ledger.commit(fixture.send());
            assertThat(fixture.store.attempts.stream().map(Batch::number).distinct())
                    .hasSize(1);
            assertThat(fixture.ledger.figures().freshLanes()).isZero();
        }
    }

    @Test
    void aDefiniteErrorAfterALostAnswerProvesNothing() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.loseNextAnswer();
            fixture.failNext(error(ErrorCode.STORE_FULL), error(ErrorCode.STORE_BUSY));
            fixture.failNext(new InvalidValueException(ErrorCode.MALFORMED_COMMIT, "It was planted."));
            Send send = fixture.send();

            assertThat(fixture.ledger.commit(send)).isEqualTo(sent(send));
            assertThat(fixture.store.attempts).hasSize(5).containsOnly(fixture.store.attempts.getFirst());
            assertThat(fixture.messages()).isEqualTo(1);
        }
    }

    @Test
    void whenPatienceIsOverNobodyKnowsAndTheLaneIsAbandoned() {
        try (LedgerFixture fixture = LedgerFixture.impatient()) {
            fixture.loseNextAnswer();
            fixture.failFromNowOn(error(ErrorCode.STORE_FAILED));
            Send send = fixture.send();

            assertThat(assertFails(ErrorCode.OUTCOME_UNKNOWN, () -> fixture.ledger.commit(send)))
                    .hasMessageContaining(send.messages().getFirst().id().toString())
                    .hasMessageContaining("deduplication id");
            fixture.recover();
            Batch abandoned = fixture.store.attempts.getLast();
            fixture.ledger.commit(fixture.send());
            fixture.ledger.commit(fixture.send());

            assertThat(fixture.store.attempts.getLast().number()).isEqualTo(2);
            assertThat(fixture.store.attempts.getLast().lane()).isNotEqualTo(abandoned.lane());
            assertThat(fixture.ledger.figures().unknown()).isEqualTo(1);
            assertThat(fixture.ledger.figures().freshLanes()).isEqualTo(1);
            // The batch that nobody knew about had been applied, and its lane still knows.
            assertThat(fixture.store.commit(abandoned)).containsExactly(sent(send));
            assertThat(fixture.messages()).isEqualTo(3);
        }
    }

    @Test
    void aClosedStoreIsNotAskedAgainForWhatItNeverAnswered() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.loseNextAnswer();
            fixture.failNext(error(ErrorCode.STORE_CLOSED));

            assertFails(ErrorCode.OUTCOME_UNKNOWN, () -> fixture.ledger.commit(fixture.send()));
            assertThat(fixture.store.attempts).hasSize(2);
        }
    }

    @Test
    void aStoreThatWentBackInTimeIsToldAndAFreshLaneOpened() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.failNext(error(ErrorCode.LANE_REWOUND));
            assertThat(assertFails(ErrorCode.LANE_REWOUND, () -> fixture.ledger.commit(fixture.send())))
                    .hasMessageContaining("Nothing of this commit was applied.");
            fixture.loseNextAnswer();
            fixture.failNext(error(ErrorCode.LANE_REWOUND));
            assertThat(assertFails(ErrorCode.LANE_REWOUND, () -> fixture.ledger.commit(fixture.send())))
                    .hasMessageContaining("may have been applied");
            fixture.ledger.commit(fixture.send());

            assertThat(fixture.store.attempts.stream().map(Batch::lane).distinct())
                    .hasSize(3);
            assertThat(fixture.store.attempts.getLast().number()).isEqualTo(1);
            assertThat(fixture.ledger.figures().freshLanes()).isEqualTo(2);
        }
    }

    @Test
    void aFreshLaneIsTriedAgainUntilItOpens() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.failNext(error(ErrorCode.LANE_REWOUND));
            assertFails(ErrorCode.LANE_REWOUND, () -> fixture.ledger.commit(fixture.send()));
            fixture.store.openFaults.add(error(ErrorCode.OUTCOME_UNKNOWN));
            fixture.store.openFaults.add(new IllegalStateException("planted"));

            fixture.ledger.commit(fixture.send());
            assertThat(fixture.store.opened).hasSize(4);
            assertThat(fixture.store.opened.subList(1, 4)).containsOnly(fixture.store.opened.getLast());
        }
    }

    @Test
    void freshLane_thatTheStoreRefusesForGood_isToldWithoutASecondAttempt() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.failNext(error(ErrorCode.LANE_REWOUND));
            assertFails(ErrorCode.LANE_REWOUND, () -> fixture.ledger.commit(fixture.send()));
            fixture.store.openFaults.add(error(ErrorCode.STORE_FAILED));
            fixture.store.opened.clear();

            assertFails(ErrorCode.STORE_FAILED, () -> fixture.ledger.commit(fixture.send()));

            assertThat(fixture.store.opened).hasSize(1);
            fixture.ledger.commit(fixture.send());
        }
    }

    /** The first batch loses its answer for good, and the lane with it; those behind it find no fresh one. */
    @Test
    void outage_whileBatchesWaitBehindAnAbandonedLane_isHeardByAllWithinOnePatience() {
        Duration patience = Duration.ofSeconds(30);
        CountedTime time = new CountedTime();
        Limits.Ledger single = new Limits.Ledger(1, 1, 1 << 20, 1_000, 1 << 20, patience);
        try (LedgerFixture fixture = new LedgerFixture(time, Limits.defaults().with(single))) {
            fixture.hold();
            fixture.failFromNowOn(error(ErrorCode.OUTCOME_UNKNOWN));
            for (int i = 0; i < 10_000; i++) {
                fixture.store.openFaults.add(error(ErrorCode.STORE_UNREACHABLE));
            }
            Pending lost = fixture.ledger.hand(fixture.send());
            List<Pending> behind =
                    fixture.sends(3).stream().map(fixture.ledger::hand).toList();
            fixture.release();

            assertFails(ErrorCode.OUTCOME_UNKNOWN, lost::await);
            behind.forEach(pending -> assertFails(ErrorCode.STORE_UNREACHABLE, pending::await));
            assertThat(time.nanoTime()).isEqualTo(patience.toNanos());
        }
    }

    @Test
    void whoWaitedInVainForAFreshLaneHearsThatNothingWasSent() {
        try (LedgerFixture fixture = LedgerFixture.impatient()) {
            fixture.failNext(error(ErrorCode.LANE_REWOUND));
            assertFails(ErrorCode.LANE_REWOUND, () -> fixture.ledger.commit(fixture.send()));
            for (int i = 0; i < 100; i++) {
                fixture.store.openFaults.add(error(ErrorCode.OUTCOME_UNKNOWN));
            }
            int attempts = fixture.store.attempts.size();

            assertFails(ErrorCode.STORE_FAILED, () -> fixture.ledger.commit(fixture.send()));
            assertThat(fixture.store.attempts).hasSize(attempts);
            fixture.store.openFaults.clear();
            fixture.ledger.commit(fixture.send());
        }
    }

    @Test
    void aBatchThatTheStoreRefusesFailsWithItsReasonAndTheNextWorks() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.failNext(new InvalidValueException(ErrorCode.MALFORMED_COMMIT, "It was planted."));

            assertThat(assertFails(ErrorCode.MALFORMED_COMMIT, () -> fixture.ledger.commit(fixture.send())))
                    .isInstanceOf(InvalidValueException.class);
            fixture.ledger.commit(fixture.send());
            assertThat(fixture.messages()).isEqualTo(1);
        }
    }

    @Test
    void aStoreThatThrowsWhatNoStoreMayThrowIsAskedAgain() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.store.faults.add((batch, real) -> {
                real.commit(batch);
                throw new IllegalStateException("planted");
            });
            // One outcome too few is as bad as none.
            fixture.store.faults.add((_, _) -> List.of());
            Send send = fixture.send();

            assertThat(fixture.ledger.commit(send)).isEqualTo(sent(send));
            assertThat(fixture.messages()).isEqualTo(1);
        }
    }

    @Test
    void anErrorOfTheMachineIsAnsweredAtOnceAndTheLaneLivesOn() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.store.faults.add((_, _) -> {
                throw new OutOfMemoryError("planted");
            });

            assertThat(assertFails(ErrorCode.OUTCOME_UNKNOWN, () -> fixture.ledger.commit(fixture.send())))
                    .hasRootCauseInstanceOf(OutOfMemoryError.class);
            fixture.ledger.commit(fixture.send());
            assertThat(fixture.ledger.figures().waiting()).isZero();
        }
    }

    @Test
    void everyCallerOfAFailedBatchGetsAnExceptionOfItsOwn() {
        try (LedgerFixture fixture = new LedgerFixture(ONE_LANE)) {
            fixture.hold();
            Send one = fixture.send();
            Send two = fixture.send();
            Pending first = fixture.ledger.hand(one);
            Pending second = fixture.ledger.hand(two);
            fixture.failNext(error(ErrorCode.STORE_FULL));
            fixture.release();

            PerdureException mine = assertFails(ErrorCode.STORE_FULL, first::await);
            PerdureException yours = assertFails(ErrorCode.STORE_FULL, second::await);
            assertThat(mine).isNotSameAs(yours).hasSameClassAs(yours);
            assertThat(mine.getCause()).isSameAs(yours.getCause());
            assertThat(mine).hasMessageContaining(one.messages().getFirst().id().toString());
            assertThat(yours)
                    .hasMessageContaining(two.messages().getFirst().id().toString());
            assertThat(fixture.ledger.figures().failed()).isEqualTo(2);
        }
    }

    @Test
    void commitsHandedOverTogetherStandWhereAnotherFails() {
        try (LedgerFixture fixture =
                new LedgerFixture(new Limits.Ledger(1, 1, 1 << 20, 100, 1 << 20, Duration.ofMinutes(5)))) {
            fixture.failNext(error(ErrorCode.STORE_FULL));

            assertFails(ErrorCode.STORE_FULL, () -> fixture.ledger.commitAll(fixture.sends(3)));
            assertThat(fixture.messages()).isEqualTo(2);
        }
    }

    @Test
    void silentLanesAreAnnouncedAgain() {
        Limits defaults = Limits.defaults();
        Limits forgetful = new Limits(
                defaults.names(),
                defaults.values(),
                defaults.runs(),
                defaults.steps(),
                defaults.queues(),
                new Limits.Lanes(256, Duration.ofHours(1), Duration.ofMillis(8)),
                defaults.calls(),
                ONE_LANE,
                defaults.workers(),
                defaults.consumers(),
                defaults.upkeep(),
                defaults.keys(),
                defaults.remote(),
                defaults.rest(),
                defaults.telemetry());
        try (LedgerFixture fixture = new LedgerFixture(forgetful)) {
            fixture.store.openFaults.add(error(ErrorCode.STORE_BUSY));
            until(() -> fixture.store.opened.size() >= 4);

            assertThat(fixture.store.opened).containsOnly(fixture.store.opened.getFirst());
        }
    }

    /** With a patience of its own each, the last batch would hear of the outage after a hundred of them. */
    @Test
    void outage_whileManyBatchesWait_isHeardByAllWithinOnePatience() {
        Limits.Ledger single = new Limits.Ledger(1, 1, 1 << 20, 1_000, 1 << 20, Duration.ofMillis(200));
        try (LedgerFixture fixture = new LedgerFixture(single)) {
            fixture.hold();
            fixture.failFromNowOn(error(ErrorCode.STORE_UNREACHABLE));
            List<Pending> handed =
                    fixture.sends(100).stream().map(fixture.ledger::hand).toList();
            fixture.release();

            handed.forEach(pending -> assertFails(ErrorCode.STORE_UNREACHABLE, pending::await));
            // From one attempt to the next it is 5 ms at least: one patience has room for 40 of them.
            assertThat(fixture.ledger.figures().resends()).isLessThan(handed.size());
            fixture.recover();
            assertThat(fixture.ledger.commit(fixture.send())).isNotNull();
        }
    }

    /** Its patience was over before it was sent. Without its answer nobody knows whether it was applied. */
    @Test
    void lostAnswer_ofABatchThatWaitedThroughAnOutage_isAskedForAgain() {
        Limits.Ledger single = new Limits.Ledger(1, 1, 1 << 20, 1_000, 1 << 20, Duration.ofMillis(200));
        try (LedgerFixture fixture = new LedgerFixture(single)) {
            fixture.hold();
            fixture.store.faults.add((batch, _) -> failUntilAnother(fixture, batch));
            List<Pending> handed =
                    fixture.sends(2).stream().map(fixture.ledger::hand).toList();
            fixture.release();

            assertThat(handed)
                    .extracting(pending -> catchThrowableOfType(PerdureException.class, pending::await))
                    .extracting(thrown -> thrown == null ? null : thrown.code())
                    .containsExactlyInAnyOrder(ErrorCode.STORE_UNREACHABLE, null);
        }
    }

    /** Fails this batch whenever it is sent; applies the next one and loses its answer. */
    private static List<Outcome> failUntilAnother(LedgerFixture fixture, Batch failing) {
        fixture.store.faults.add((batch, real) -> {
            if (batch.commits().equals(failing.commits())) {
                return failUntilAnother(fixture, batch);
            }
            real.commit(batch);
            throw error(ErrorCode.OUTCOME_UNKNOWN);
        });
        throw error(ErrorCode.STORE_UNREACHABLE);
    }

    @Test
    void outage_longAfterAnother_isWaitedForWithAFreshPatience() {
        try (LedgerFixture fixture = new LedgerFixture(
                new CountedTime(), Limits.defaults().with(LedgerFixture.patient(Duration.ofSeconds(2))))) {
            fixture.failFromNowOn(error(ErrorCode.STORE_UNREACHABLE));
            assertFails(ErrorCode.STORE_UNREACHABLE, () -> fixture.ledger.commit(fixture.send()));
            fixture.recover();
            fixture.ledger.commit(fixture.send());
            fixture.failNext(error(ErrorCode.STORE_UNREACHABLE));

            assertThat(fixture.ledger.commit(fixture.send())).isNotNull();
        }
    }
}
